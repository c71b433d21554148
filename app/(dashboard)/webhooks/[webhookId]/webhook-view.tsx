"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { CallError } from "@/app/_shared/call-error";
import { StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import { DeliveryTable } from "@/app/(dashboard)/webhooks/[webhookId]/delivery-table";
import { TestResult } from "@/app/(dashboard)/webhooks/[webhookId]/test-result";
import { WebhookActions } from "@/app/(dashboard)/webhooks/[webhookId]/webhook-actions";
import { WebhookNotices } from "@/app/(dashboard)/webhooks/[webhookId]/webhook-notices";
import { shortAddress, webhookBadge } from "@/app/(dashboard)/webhooks/webhook-words";
import { Button } from "@/components/button";
import { PageHeader } from "@/components/page-header";
import { RelativeTime } from "@/components/relative-time";
import { ShortId } from "@/components/short-id";
import { useTRPC } from "@/trpc/client";

/** One webhook: does it get through, and what was delivered when. */
export function WebhookView({ webhookId }: { webhookId: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data: webhook } = useQuery(trpc.webhooks.get.queryOptions({ webhookId }));
  const test = useMutation(
    trpc.webhooks.test.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.webhooks.pathFilter()),
    }),
  );
  if (!webhook) return null;
  return (
    <>
      <PageHeader
        title={webhook.description || shortAddress(webhook.url)}
        crumbs={[{ label: "Webhooks", href: "/webhooks" }]}
        meta={
          <>
            <StatusBadge status={webhookBadge(webhook)} />
            <code className="text-xs break-all">{webhook.url}</code>
            <ShortId id={webhook.id} />
            <span>
              {webhook.lastSuccessAt ? (
                <>
                  delivered <RelativeTime at={webhook.lastSuccessAt} />
                </>
              ) : (
                "nothing delivered yet"
              )}
            </span>
          </>
        }
        actions={
          <>
            <Button
              variant="primary"
              icon={<Send aria-hidden size={15} />}
              pendingLabel={test.isPending && "Sending"}
              onClick={() => test.mutate({ webhookId })}
            >
              Send test
            </Button>
            <WebhookActions webhook={webhook} />
          </>
        }
      />
      <div className="space-y-5">
        <WebhookNotices webhook={webhook} />
        {test.data && !test.isPending && <TestResult delivery={test.data} />}
        <CallError error={test.error} what="The test was not sent" />
        <section aria-labelledby="events-heading">
          <h2 id="events-heading" className="mb-2 text-lg font-semibold">
            Told of
          </h2>
          <ul className="flex flex-wrap gap-1.5">
            {webhook.events.map((event) => (
              <li key={event} className="rounded-md border border-line bg-surface px-2 py-0.5">
                <code className="text-xs">{event}</code>
              </li>
            ))}
          </ul>
        </section>
        <DeliveryTable webhook={webhook} />
      </div>
    </>
  );
}
