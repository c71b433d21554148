import type { Metadata } from "next";
import { fetchOrNotFound, prefetch } from "@/app/(dashboard)/_lib/prefetch";
import { readViewer, requireViewer } from "@/app/(dashboard)/_lib/require-viewer";
import { SourceView } from "@/app/(dashboard)/sources/[sourceId]/source-view";
import { HydrateClient, trpc } from "@/trpc/server";

type Props = { params: Promise<{ sourceId: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { sourceId } = await params;
  if (!(await readViewer())) return {};
  const source = await fetchOrNotFound(trpc.sources.get.queryOptions({ sourceId }));
  return { title: source.name };
}

export default async function SourcePage({ params }: Props) {
  const { sourceId } = await params;
  await requireViewer(`/sources/${encodeURIComponent(sourceId)}`);
  await fetchOrNotFound(trpc.sources.get.queryOptions({ sourceId }));
  await Promise.all([
    prefetch(trpc.feeds.list.queryOptions({ limit: 50, sourceId })),
    prefetch(trpc.adapters.list.queryOptions()), // what its kind is called
  ]);
  return (
    <HydrateClient>
      <SourceView sourceId={sourceId} />
    </HydrateClient>
  );
}
