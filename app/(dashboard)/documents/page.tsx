import type { Metadata } from "next";
import { requireViewer } from "@/app/(dashboard)/_lib/require-viewer";
import { DocumentsView } from "@/app/(dashboard)/documents/documents-view";

export const metadata: Metadata = { title: "Documents" };

export default async function DocumentsPage() {
  await requireViewer("/documents");
  return <DocumentsView />;
}
