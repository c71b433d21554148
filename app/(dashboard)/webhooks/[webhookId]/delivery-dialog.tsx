"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CallError } from "@/app/_shared/call-error";
import { StatusBadge } from "@/app/(dashboard)/_components/status-badge";
import type { DeliveryDetail, Webhook } from "@/app/(dashboard)/_lib/types";
import { attemptWords, deliveryBadge } from "@/app/(dashboard)/webhooks/webhook-words";
import { Button } from "@/components/button";
import { Dialog, DialogActions } from "@/components/dialog";
import { Fold, RawText } from "@/components/fold";
import { ExactTime, RelativeTime } from "@/components/relative-time";
import { Sentence } from "@/components/sentence";
import { ShortId } from "@/components/short-id";
import { Skeleton } from "@/components/skeleton";
import { useTRPC } from "@/trpc/client";

/** One delivery: what was sent, what came back each time, and another try. */
export function DeliveryDialog({
  webhook,
  deliveryId,
  onClose,
}: {
  webhook: Webhook;
  deliveryId: string;
  onClose(): void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const ids = { webhookId: webhook.id, deliveryId };
  const query = useQuery(trpc.webhooks.delivery.queryOptions(ids));
  const resend = useMutation(
    trpc.webhooks.resend.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.webhooks.pathFilter()),
    }),
  );
  const delivery = query.data;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={delivery?.type ?? "Delivery"} isWide>
      {query.isPending && <Skeleton className="h-40" />}
      <CallError error={delivery ? null : query.error} what="The delivery could not be read" />
      {delivery && (
        <div className="space-y-4 text-sm">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-muted">
            <StatusBadge status={deliveryBadge(delivery)} />
            <ShortId id={delivery.id} label="webhook-id" />
            <span>
              happened <ExactTime at={delivery.createdAt} />
            </span>
            {delivery.nextAttemptAt && !delivery.isSending && (
              <span>
                next try <RelativeTime at={delivery.nextAttemptAt} />, given up after{" "}
                <ExactTime at={delivery.giveUpAt} />
              </span>
            )}
          </p>
          <section aria-labelledby="sent-heading">
            <h3 id="sent-heading" className="mb-1 font-semibold">
              What is sent
            </h3>
            <RawText label="Request">{describeRequest(webhook, delivery)}</RawText>
          </section>
          <Attempts delivery={delivery} />
          <CallError error={resend.error} what="It was not sent again" />
          {webhook.status === "disabled" && (
            <p className="text-xs text-ink-muted">Enable the webhook to send this again.</p>
          )}
          <DialogActions wayOut="Close">
            <Button
              variant="primary"
              disabled={webhook.status === "disabled" || delivery.isSending}
              pendingLabel={resend.isPending && "Sending"}
              onClick={() => resend.mutate(ids)}
            >
              Send again
            </Button>
          </DialogActions>
        </div>
      )}
    </Dialog>
  );
}

function Attempts({ delivery: { attempts } }: { delivery: DeliveryDetail }) {
  if (attempts.length === 0) return <p className="text-ink-muted">It was not sent yet.</p>;
  return (
    <section aria-labelledby="attempts-heading">
      <h3 id="attempts-heading" className="mb-1 font-semibold">
        What came back
      </h3>
      <ol className="divide-y divide-line rounded-md border border-line">
        {attempts.toReversed().map((attempt, index) => (
          <li key={attempt.at} className="space-y-1.5 px-3 py-2">
            <p className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className={attempt.error ? "font-medium text-bad" : "font-medium text-ok"}>
                {attemptWords(attempt)}
              </span>
              <ExactTime at={attempt.at} className="text-xs text-ink-muted" />
            </p>
            {attempt.error && attempt.status !== null && (
              <p className="text-ink-muted">
                <Sentence>{attempt.error.message}</Sentence>
              </p>
            )}
            {attempt.response?.body && (
              <Fold
                summary={attempt.response.isCut ? "Its answer (the first 2 KB)" : "Its answer"}
                open={index === 0}
              >
                <RawText label="Answer">{attempt.response.body}</RawText>
              </Fold>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** As it goes over the wire, but for what every attempt signs anew. */
function describeRequest({ url }: Webhook, delivery: DeliveryDetail): string {
  return [
    `POST ${url}`,
    "content-type: application/json",
    `webhook-id: ${delivery.id}`,
    "webhook-timestamp: (of each attempt)",
    "webhook-signature: v1,…",
    "",
    JSON.stringify(JSON.parse(delivery.body), null, 2),
  ].join("\n");
}
