import type { Metadata } from "next";
import { prefetch } from "@/app/(dashboard)/_lib/prefetch";
import { requireViewer } from "@/app/(dashboard)/_lib/require-viewer";
import { DocumentsView } from "@/app/(dashboard)/documents/documents-view";
import { HydrateClient, trpc } from "@/trpc/server";

export const metadata: Metadata = { title: "Documents" };

export default async function DocumentsPage() {
  await requireViewer("/documents");
  // As it is without filters; a filtered view asks from the browser.
  await prefetch(trpc.documents.list.queryOptions({ limit: 50 }));
  return (
    <HydrateClient>
      <DocumentsView />
    </HydrateClient>
  );
}
