import { CursorExpired, UpstreamError } from "../adapter.ts";
import { TidemarkError } from "../errors.ts";
import type { MaskText } from "../mask-secrets.ts";
import type { RunError } from "./options.ts";
import { TimeIsUp } from "./run-life.ts";

const MAX_MESSAGE = 2000;

/** What an adapter threw; kept apart from what our own calls throw. */
export class AdapterThrew extends Error {
  override readonly name = "AdapterThrew";
}

export type Failure = {
  /** `lost`: the run is over already, so there is nothing to record. */
  status: "partial" | "failed" | "cancelled" | "lost";
  error: RunError;
  retryAt: Date | null;
};

/**
 * What a thrown value means for its run, in the words that the server's own runner uses.
 *
 * @param stoppedByCaller the caller's signal was aborted; whatever was thrown then, that is the reason.
 */
export function explainFailure(thrown: unknown, mask: MaskText, stoppedByCaller: boolean): Failure {
  const say = (text: string) => storable(mask(text).slice(0, MAX_MESSAGE));
  const end = (
    status: Failure["status"],
    error: Omit<RunError, "detail"> & { detail?: string | undefined },
    retryAt: Date | null = null,
  ): Failure => ({
    status,
    error: { ...error, message: say(error.message), detail: error.detail ? say(error.detail) : null },
    retryAt,
  });

  if (stoppedByCaller) {
    const message =
      "The program that ran this sync was stopped. What it read is stored; the next run goes on.";
    return end("partial", { origin: "adapter", code: "stopped", message, retryable: true });
  }
  if (thrown instanceof TimeIsUp) {
    const message = "The run used up its time. What it read is stored, and the next run goes on.";
    return end("partial", { origin: "adapter", code: "time_budget", message, retryable: true });
  }
  if (thrown instanceof TidemarkError) {
    const { code, message, retryable } = thrown;
    const isOver = ["run_fenced", "feed_not_found", "feed_deleting", "unauthenticated"].includes(code);
    const status = isOver ? "lost" : code === "feed_disabled" ? "cancelled" : "failed";
    const origin = code === "cursor_invalid" ? "adapter" : "tidemark";
    return end(status, { origin, code, message: message || code, retryable });
  }
  const cause = thrown instanceof AdapterThrew ? thrown.cause : thrown;
  if (cause instanceof UpstreamError) {
    const { retryable, retryAt, detail } = cause.info;
    return end(
      cause.code === "rate_limited" ? "partial" : "failed",
      { origin: "upstream", code: cause.code, message: cause.message || cause.code, detail, retryable },
      retryAt ?? null,
    );
  }
  if (cause instanceof CursorExpired) {
    return end("failed", {
      origin: "upstream",
      code: "cursor_expired",
      message:
        "The upstream says it forgot the position although everything was being listed anew. It will be tried again.",
      detail: cause.message,
      retryable: true,
    });
  }
  return end("failed", {
    origin: "adapter",
    code: "adapter_failed",
    message:
      "The adapter failed in a way it does not explain. That is a fault in it, not in your feed; what was stored before is kept.",
    detail: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause),
    retryable: true,
  });
}

/** Without what PostgreSQL cannot store: U+0000, half a surrogate pair. */
function storable(text: string): string {
  return text.replaceAll("\0", "").replace(/[\uD800-\uDFFF]/gu, "\uFFFD");
}
