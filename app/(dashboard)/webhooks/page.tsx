import type { Metadata } from "next";
import { prefetch } from "@/app/(dashboard)/_lib/prefetch";
import { requireViewer } from "@/app/(dashboard)/_lib/require-viewer";
import { WebhooksView } from "@/app/(dashboard)/webhooks/webhooks-view";
import { HydrateClient, trpc } from "@/trpc/server";

export const metadata: Metadata = { title: "Webhooks" };

export default async function WebhooksPage() {
  const viewer = await requireViewer("/webhooks");
  if (viewer.canAdmin) await prefetch(trpc.webhooks.list.queryOptions());
  return (
    <HydrateClient>
      <WebhooksView />
    </HydrateClient>
  );
}
