"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CallError } from "@/app/_shared/call-error";
import type { Webhook } from "@/app/(dashboard)/_lib/types";
import { Button } from "@/components/button";
import { Notice } from "@/components/notice";
import { countOf } from "@/components/numbers";
import { RelativeTime } from "@/components/relative-time";
import { useTRPC } from "@/trpc/client";

/** Why nothing, or not everything, gets through right now. */
export function WebhookNotices({ webhook }: { webhook: Webhook }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const enable = useMutation(
    trpc.webhooks.update.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.webhooks.pathFilter()),
    }),
  );
  return (
    <>
      {webhook.status === "disabled" && (
        <Notice
          tone={webhook.disabledBy === "person" ? "info" : "bad"}
          title={
            webhook.disabledBy === "person"
              ? "Disabled. Events that happen meanwhile are not kept for it."
              : (webhook.disabledReason ?? "Disabled.")
          }
          action={
            <Button
              size="sm"
              pendingLabel={enable.isPending && "Enabling"}
              onClick={() => enable.mutate({ webhookId: webhook.id, status: "enabled" })}
            >
              Enable
            </Button>
          }
        >
          {webhook.disabledBy !== "person" && (
            <p className="text-ink-muted">
              It was disabled <When at={webhook.disabledAt} />, and events since then are not kept for it.
              Send a test once the receiver is mended, then enable it.
            </p>
          )}
        </Notice>
      )}
      {webhook.status === "enabled" && webhook.failingSince && (
        <Notice
          tone="warn"
          title={
            <>
              Nothing has got through since <RelativeTime at={webhook.failingSince} />
              {`: ${countOf(webhook.consecutiveFailures, "attempt")} failed.`}
            </>
          }
        >
          <p className="text-ink-muted">
            Each delivery is tried for 24 hours. After 5 days without a success the webhook is disabled. The
            log below says what the receiver answers.
          </p>
        </Notice>
      )}
      {webhook.status === "enabled" && webhook.waitsUntil && (
        <Notice
          tone="warn"
          title={
            <>
              The receiver asked to be left alone; deliveries go on <RelativeTime at={webhook.waitsUntil} />.
            </>
          }
        />
      )}
      {webhook.overlapUntil && (
        <Notice
          tone="info"
          title={
            <>
              Two secrets sign every delivery: the old one ends <RelativeTime at={webhook.overlapUntil} />.
            </>
          }
        />
      )}
      <CallError error={enable.error} what="It is still disabled" />
    </>
  );
}

function When({ at }: { at: string | null }) {
  return at ? <RelativeTime at={at} /> : "before";
}
