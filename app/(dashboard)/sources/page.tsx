import type { Metadata } from "next";
import { prefetch } from "@/app/(dashboard)/_lib/prefetch";
import { requireViewer } from "@/app/(dashboard)/_lib/require-viewer";
import { SourcesView } from "@/app/(dashboard)/sources/sources-view";
import { HydrateClient, trpc } from "@/trpc/server";

export const metadata: Metadata = { title: "Sources" };

export default async function SourcesPage() {
  await requireViewer("/sources");
  await Promise.all([
    prefetch(trpc.sources.list.queryOptions({ limit: 50 })),
    prefetch(trpc.sources.list.queryOptions({ limit: 5, status: "failing" })),
    prefetch(trpc.sources.list.queryOptions({ limit: 5, status: "needs_reconnect" })),
    prefetch(trpc.adapters.list.queryOptions()), // what the kinds of sources are called
  ]);
  return (
    <HydrateClient>
      <SourcesView />
    </HydrateClient>
  );
}
