import { TidemarkError } from "../errors.ts";
import type { Connection } from "../http/connection.ts";
import { isRecord } from "../http/describe-answer.ts";
import { sendRequest } from "../http/send-request.ts";
import type { ChangesPage } from "../wire.ts";
import type { FollowOptions } from "./options.ts";

export type PullOptions = Pick<FollowOptions, "sourceId" | "feedId" | "text" | "consumer" | "signal"> & {
  limit: number;
};

/**
 * Asks once for what comes after a cursor.
 *
 * @param waitSeconds How long the server may hold the request while there is nothing; 0 = answer at once.
 */
export async function pullPage(
  connection: Connection,
  { signal, ...options }: PullOptions,
  cursor: string | null,
  waitSeconds: number,
): Promise<ChangesPage> {
  const query = new URLSearchParams({ limit: String(options.limit) });
  if (cursor !== null) query.set("cursor", cursor);
  if (waitSeconds > 0) query.set("wait", String(waitSeconds));
  if (options.sourceId !== undefined) query.set("sourceId", options.sourceId);
  if (options.feedId !== undefined) query.set("feedId", options.feedId);
  if (options.text) query.set("text", "true");
  if (options.consumer !== undefined) query.set("consumer", options.consumer);
  const answer = await sendRequest(connection, `/changes?${query}`, { signal, holdMs: waitSeconds * 1000 });
  if (!isPage(answer)) throw notAPage("The answer is no page of changes. Check `url`.");
  // Going round with the same question would never end.
  if (answer.hasMore && answer.cursor === cursor) {
    throw notAPage("The server says that there is more, but gives the same cursor again.");
  }
  return answer;
}

/** Only this code means "start again": an answer 410 of something in between must not empty a copy. */
export function isExpired(error: unknown): error is TidemarkError {
  return error instanceof TidemarkError && error.code === "cursor_expired";
}

function isPage(value: unknown): value is ChangesPage {
  return (
    isRecord(value) &&
    Array.isArray(value.changes) &&
    typeof value.cursor === "string" &&
    value.cursor !== "" &&
    typeof value.hasMore === "boolean"
  );
}

function notAPage(message: string): TidemarkError {
  return new TidemarkError("unexpected_answer", message, { status: 200 });
}
