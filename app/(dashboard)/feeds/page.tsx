import type { Metadata } from "next";
import { FeedTable } from "@/app/(dashboard)/_feeds/feed-table";
import { prefetch } from "@/app/(dashboard)/_lib/prefetch";
import { requireViewer } from "@/app/(dashboard)/_lib/require-viewer";
import { ButtonLink } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { PageHeader } from "@/components/page-header";
import { HydrateClient, trpc } from "@/trpc/server";

export const metadata: Metadata = { title: "Feeds" };

export default async function FeedsPage() {
  const viewer = await requireViewer("/feeds");
  // As it is without filters; a filtered view asks from the browser.
  await prefetch(trpc.feeds.list.queryOptions({ limit: 50 }));
  return (
    <HydrateClient>
      <PageHeader
        title="Feeds"
        crumbs={[{ label: "Sources", href: "/sources" }]}
        meta={<span>Every feed of every source.</span>}
      />
      <FeedTable
        empty={
          <EmptyState
            title="No feed yet"
            action={
              viewer.canWrite && (
                <ButtonLink href="/sources/new" variant="primary">
                  Add source
                </ButtonLink>
              )
            }
          >
            A feed is one publication, channel or folder of a source. Connect a source and its feeds stand
            here, each with its own cursor and schedule.
          </EmptyState>
        }
      />
    </HydrateClient>
  );
}
