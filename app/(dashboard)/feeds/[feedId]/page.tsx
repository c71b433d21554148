import type { Metadata } from "next";
import { fetchOrNotFound, prefetch } from "@/app/(dashboard)/_lib/prefetch";
import { readViewer, requireViewer } from "@/app/(dashboard)/_lib/require-viewer";
import { FeedView } from "@/app/(dashboard)/feeds/[feedId]/feed-view";
import { HydrateClient, trpc } from "@/trpc/server";

type Props = { params: Promise<{ feedId: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { feedId } = await params;
  if (!(await readViewer())) return {};
  const feed = await fetchOrNotFound(trpc.feeds.get.queryOptions({ feedId }));
  return { title: feed.displayName };
}

export default async function FeedPage({ params }: Props) {
  const { feedId } = await params;
  await requireViewer(`/feeds/${encodeURIComponent(feedId)}`);
  await fetchOrNotFound(trpc.feeds.get.queryOptions({ feedId }));
  await Promise.all([
    prefetch(trpc.documents.list.queryOptions({ limit: 50, feedId })),
    // They stand above what is read: coming later they would push it down.
    prefetch(trpc.feeds.heldDeletes.queryOptions({ feedId })),
    prefetch(trpc.feeds.history.queryOptions({ feedIds: [feedId] })),
  ]);
  return (
    <HydrateClient>
      <FeedView feedId={feedId} />
    </HydrateClient>
  );
}
