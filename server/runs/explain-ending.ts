import { CursorExpired, UpstreamError } from "@/sdk/adapter";
import { AppError } from "@/server/errors";
import { asUnavailable } from "@/server/transaction";
import { CredentialUnreadable } from "@/server/vault/credentials";
import { RATE_LIMITED, type RunError, type SHUTDOWN, TIME_BUDGET } from "./run-error";

const MAX_DETAIL = 2048;

/** Why the runner itself stopped a run; the abort signal's reason. */
export class RunStopped extends Error {
  override readonly name = "RunStopped";
  constructor(readonly why: "fenced" | typeof TIME_BUDGET | typeof SHUTDOWN) {
    super(`run stopped: ${why}`);
  }
}

/** What an adapter threw that is neither UpstreamError nor CursorExpired: a fault of the adapter. */
export class AdapterFault extends Error {
  override readonly name = "AdapterFault";
}

export type Ending =
  /** Someone else ended the run; nothing is left to write. */
  | { status: "fenced" }
  | { status: "succeeded"; error: null; retryAt: null }
  | { status: "partial" | "failed" | "cancelled"; error: RunError; retryAt: Date | null };

/** Says what a thrown value means for its run: status, and an error that people and programs can read. */
export function explainEnding(thrown: unknown, mask: (text: string) => string): Ending {
  if (thrown instanceof RunStopped) return explainStop(thrown);
  if (thrown instanceof UpstreamError) {
    const { retryable, retryAt, detail } = thrown.info;
    return {
      status: thrown.code === RATE_LIMITED ? "partial" : "failed",
      error: {
        origin: "upstream",
        code: thrown.code,
        message: mask(thrown.message),
        detail: cut(detail, mask),
        retryable,
      },
      retryAt: retryAt ?? null,
    };
  }
  if (thrown instanceof CursorExpired) {
    return failed({
      origin: "upstream",
      code: "cursor_expired",
      message:
        "The upstream says it forgot the position although everything was being listed anew. It will be tried again.",
      detail: cut(thrown.message, mask),
      retryable: true,
    });
  }
  if (thrown instanceof AdapterFault) {
    return failed({
      origin: "adapter",
      code: "adapter_failed",
      message:
        "The connector of this source failed in a way it does not explain. That is a fault in it, not in your feed; what was stored before is kept.",
      detail: cut(spell(thrown.cause), mask),
      retryable: true,
    });
  }
  if (thrown instanceof CredentialUnreadable) {
    return failed({
      origin: "tidemark",
      code: "credentials_unreadable",
      message: thrown.message,
      detail: null,
      retryable: false,
    });
  }
  const known = asUnavailable(thrown) ?? (thrown instanceof AppError ? thrown : null);
  if (known) return explainAppError(known, mask);
  return failed({
    origin: "tidemark",
    code: "internal_error",
    message:
      "Something went wrong in this server; its log has the details under the run's id. It will be tried again.",
    detail: null, // may hold SQL
    retryable: true,
  });
}

function explainStop({ why }: RunStopped): Ending {
  if (why === "fenced") return { status: "fenced" };
  const message =
    why === TIME_BUDGET
      ? "The run used up its time. What it read is stored, and the next run goes on."
      : "The server stopped during the run. What it read is stored, and the next run goes on.";
  return {
    status: "partial",
    error: { origin: "tidemark", code: why, message, detail: null, retryable: true },
    retryAt: null,
  };
}

function explainAppError(error: AppError, mask: (text: string) => string): Ending {
  const plain = { code: error.code, message: mask(error.message), detail: null };
  switch (error.code) {
    case "run_fenced":
      return { status: "fenced" };
    case "feed_not_found":
    case "feed_deleting":
    case "feed_disabled":
      return {
        status: "cancelled",
        error: { origin: "tidemark", ...plain, retryable: false },
        retryAt: null,
      };
    case "cursor_invalid":
      return failed({ origin: "adapter", ...plain, retryable: true });
    default:
      return failed({ origin: "tidemark", ...plain, retryable: error.code === "unavailable" });
  }
}

function failed(error: RunError): Ending {
  return { status: "failed", error, retryAt: null };
}

function spell(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
}

function cut(text: string | undefined, mask: (text: string) => string): string | null {
  return text === undefined || text === ""
    ? null
    : mask(text).replaceAll("\0", "").toWellFormed().slice(0, MAX_DETAIL);
}
