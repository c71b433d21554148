import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { prefetch } from "@/app/(dashboard)/_lib/prefetch";
import { requireViewer } from "@/app/(dashboard)/_lib/require-viewer";
import { Connect } from "@/app/(dashboard)/sources/new/connect";
import { PageHeader } from "@/components/page-header";
import { HydrateClient, trpc } from "@/trpc/server";

export const metadata: Metadata = { title: "Add source" };

export default async function NewSourcePage() {
  const viewer = await requireViewer("/sources/new");
  if (!viewer.canWrite) redirect("/sources");
  await prefetch(trpc.adapters.list.queryOptions());
  return (
    <div className="mx-auto max-w-2xl">
      <PageHeader title="Add source" crumbs={[{ label: "Sources", href: "/sources" }]} />
      <HydrateClient>
        <Connect />
      </HydrateClient>
    </div>
  );
}
