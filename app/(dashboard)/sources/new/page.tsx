import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { requireViewer } from "@/app/(dashboard)/_lib/require-viewer";
import { Connect } from "@/app/(dashboard)/sources/new/connect";
import { PageHeader } from "@/components/page-header";

export const metadata: Metadata = { title: "Add source" };

export default async function NewSourcePage() {
  const viewer = await requireViewer("/sources/new");
  if (!viewer.canWrite) redirect("/sources");
  return (
    <div className="mx-auto max-w-2xl">
      <PageHeader title="Add source" crumbs={[{ label: "Sources", href: "/sources" }]} />
      <Connect />
    </div>
  );
}
