import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { requireViewer } from "@/app/(dashboard)/_lib/require-viewer";
import { ImportView } from "@/app/(dashboard)/sources/import/import-view";
import { PageHeader } from "@/components/page-header";

export const metadata: Metadata = { title: "Import OPML" };

export default async function ImportPage() {
  const viewer = await requireViewer("/sources/import");
  if (!viewer.canWrite) redirect("/sources");
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader title="Import OPML" crumbs={[{ label: "Sources", href: "/sources" }]} />
      <ImportView />
    </div>
  );
}
