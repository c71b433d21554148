import type { BadgeStatus } from "@/app/(dashboard)/_components/status-badge";
import type { Delivery, Webhook } from "@/app/(dashboard)/_lib/types";

export function webhookBadge(webhook: Pick<Webhook, "status" | "failingSince" | "waitsUntil">): BadgeStatus {
  if (webhook.status === "disabled") return "disabled";
  if (webhook.waitsUntil) return "rate_limited";
  return webhook.failingSince ? "failing" : "active";
}

export function deliveryBadge(
  delivery: Pick<Delivery, "status" | "isSending" | "attemptCount">,
): BadgeStatus {
  if (delivery.status !== "pending") return delivery.status;
  if (delivery.isSending) return "sending";
  return delivery.attemptCount > 0 ? "retrying" : "queued";
}

/** One line of what came back: "204 in 35 ms", or why nothing did. */
export function attemptWords({ status, error, ms }: NonNullable<Delivery["lastAttempt"]>): string {
  if (status === null) return error?.message ?? "No answer";
  return `${status} in ${ms} ms`;
}

/** Without the scheme, which is the same everywhere: what tells addresses apart comes first. */
export function shortAddress(url: string): string {
  return url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}
