import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { fetchOrNotFound, prefetch } from "@/app/(dashboard)/_lib/prefetch";
import { requireViewer } from "@/app/(dashboard)/_lib/require-viewer";
import { WebhookView } from "@/app/(dashboard)/webhooks/[webhookId]/webhook-view";
import { HydrateClient, trpc } from "@/trpc/server";

type Props = { params: Promise<{ webhookId: string }> };

export const metadata: Metadata = { title: "Webhook" };

export default async function WebhookPage({ params }: Props) {
  const { webhookId } = await params;
  const viewer = await requireViewer(`/webhooks/${encodeURIComponent(webhookId)}`);
  // To everybody else it is as if there were none.
  if (!viewer.canAdmin) notFound();
  await fetchOrNotFound(trpc.webhooks.get.queryOptions({ webhookId }));
  await prefetch(trpc.webhooks.deliveries.queryOptions({ webhookId, limit: 50 }));
  return (
    <HydrateClient>
      <WebhookView webhookId={webhookId} />
    </HydrateClient>
  );
}
