import { AppError } from "@/server/errors";
import { feedNotFound } from "@/server/feeds/get-feed";
import { type IdPrefix, isId } from "@/server/ids";

const NOUN: Partial<Record<IdPrefix, string>> = { src: "source", run: "run", doc: "document" };

/**
 * What cannot be an id exists nowhere; no query needs to be asked about it.
 *
 * @throws AppError feed_not_found, not_found
 */
export function requireId(prefix: IdPrefix, value: string): string {
  if (isId(prefix, value)) return value;
  if (prefix === "feed") throw feedNotFound();
  throw new AppError("not_found", `There is no such ${NOUN[prefix] ?? "thing"} in this workspace.`);
}
