import { createHash } from "node:crypto";
import type { GuardedResponse, JsonObject } from "@/sdk/adapter";

/**
 * Raised when parsing gives other documents for the same bytes: feeds are then read afresh instead
 * of answering "unchanged" for ever.
 */
const PARSER_VERSION = 1;

/** What one feed's next request needs to know about the last one. Holds no address in clear. */
export type RssState = {
  /** Hash of the address asked; another address makes the rest void. */
  askedFor: string;
  /** Hash of the address that answered; validators are true only of that. */
  answeredBy?: string;
  /** Byte for byte as received. */
  etag?: string;
  lastModified?: string;
  /** For servers that always answer 200. */
  bodyHash?: string;
  /** Ids seen on several items (identify.ts). */
  repeated: string[];
  /** The feed has no dates, hence no cursor: having no position does not mean "first sync". */
  undated?: boolean;
  /** First syncs that began to read the archive and did not get through. */
  archiveAttempts?: number;
};

/**
 * @returns null when there is none. Of another address or an older parser only the marks of
 *   repeated ids are kept: identity outlives a move, validators do not.
 */
export function readState(state: JsonObject | null, url: string): RssState | null {
  if (!state) return null;
  const text = (key: string) => (typeof state[key] === "string" ? state[key] : undefined);
  const repeated = Array.isArray(state.repeated)
    ? state.repeated.filter((mark) => typeof mark === "string")
    : [];
  const askedFor = hashUrl(url);
  if (state.parser !== PARSER_VERSION || state.askedFor !== askedFor) return { askedFor, repeated };
  return {
    askedFor,
    repeated,
    answeredBy: text("answeredBy"),
    etag: text("etag"),
    lastModified: text("lastModified"),
    bodyHash: text("bodyHash"),
    undated: state.undated === true,
    archiveAttempts: typeof state.archiveAttempts === "number" ? state.archiveAttempts : 0,
  };
}

export function writeState(state: RssState): JsonObject {
  const entries = Object.entries(state).filter(
    ([, value]) => value !== undefined && value !== false && value !== 0,
  );
  return { parser: PARSER_VERSION, ...Object.fromEntries(entries) } as JsonObject;
}

/** Both validators of this answer, replacing both of the last: a missing one is forgotten. */
export function validatorsOf(
  response: GuardedResponse,
): Pick<RssState, "answeredBy" | "etag" | "lastModified"> {
  return {
    answeredBy: hashUrl(response.url),
    etag: boundedHeader(response.headers.etag),
    lastModified: boundedHeader(response.headers["last-modified"]),
  };
}

export function conditionalHeaders(state: RssState | null): Record<string, string> {
  return {
    ...(state?.etag !== undefined ? { "if-none-match": state.etag } : {}),
    ...(state?.lastModified !== undefined ? { "if-modified-since": state.lastModified } : {}),
  };
}

/** Query keys are secrets and this lives in an ordinary column, so only a hash; userinfo not even that. */
export function hashUrl(address: string): string {
  const url = new URL(address);
  url.username = "";
  url.password = "";
  url.hash = "";
  return createHash("sha256").update(url.href).digest("hex").slice(0, 32);
}

export function hashBody(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex").slice(0, 32);
}

/** Nobody's validator is longer; storing more would only help an attacker fill rows. */
function boundedHeader(value: string | undefined): string | undefined {
  return value && value.length <= 4096 ? value : undefined;
}
