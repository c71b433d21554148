import { setTimeout as sleep } from "node:timers/promises";
import { type GuardedResponse, type SyncContext, UpstreamError } from "@/sdk/adapter";
import { sampleOf } from "../http-secrets";
import { throwForStatus } from "../http-status";
import { requestFeed } from "../rss/request";
import { nearbyOrigins } from "./addresses";
import type { SubstackConfig } from "./config";
import { type ListedPost, NotSubstack, parseArchive, parsePost } from "./parse";

export type ApiContext = Pick<
  SyncContext<SubstackConfig>,
  "config" | "credentials" | "fetch" | "signal" | "log" | "now"
>;

/** Waits; an abort ends it at once with the signal's reason. Replaced in tests. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export const waitForReal: Wait = async (ms, signal) => {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
};

export type ArchivePage = { posts: ListedPost[]; origin: string };

export type Api = ReturnType<typeof createApi>;

/**
 * The publication's HTTP interface, one paced request at a time.
 *
 * @param home The publication's own origin: the only one that is sent the reader's cookie.
 */
export function createApi(ctx: ApiContext, home: string, wait: Wait) {
  const cookie = toCookie(ctx);
  let asked = false;

  async function pace(): Promise<void> {
    if (asked) await wait(ctx.config.secondsBetweenRequests * 1000, ctx.signal);
    asked = true;
    ctx.signal.throwIfAborted();
  }

  async function get(url: string): Promise<GuardedResponse> {
    await pace();
    const isHome = new URL(url).origin === home;
    const response = await ctx.fetch(url, {
      // Substack knows readers by cookie; an empty header keeps the token out of `Authorization`.
      headers: { accept: "application/json", authorization: "", ...(isHome && cookie ? { cookie } : {}) },
      signal: ctx.signal,
    });
    ctx.signal.throwIfAborted();
    return response;
  }

  return {
    sendsCookieTo: (origin: string) => cookie !== null && origin === home,

    /** @throws UpstreamError; `not_a_feed` for an answer that is no archive. */
    async listPosts(origin: string, offset: number): Promise<ArchivePage> {
      const { postsPerRequest } = ctx.config;
      const response = await get(
        `${origin}/api/v1/archive?sort=new&search=&offset=${offset}&limit=${postsPerRequest}`,
      );
      throwForStatus(response, ctx.now());
      const { posts, unusable } = parse(response, parseArchive);
      if (unusable > 0) {
        ctx.log.warn("posts_without_id", `${unusable} entries of the archive have no id and were left out.`);
      }
      return { posts, origin: new URL(response.url).origin };
    },

    /**
     * One post's text as this reader may see it; null for a post that is not there any more.
     *
     * @throws UpstreamError; `not_a_feed` for an answer that is no post.
     */
    async readText(origin: string, post: ListedPost): Promise<{ html: string | null } | null> {
      const response = await get(`${origin}/api/v1/posts/${encodeURIComponent(post.slug)}`);
      if (response.status === 404 || response.status === 410) return null;
      throwForStatus(response, ctx.now());
      const { id, html } = parse(response, parsePost);
      // Another post took over the slug after the archive was read.
      return id !== undefined && id !== post.id ? null : { html };
    },

    async readFeed(origin: string): Promise<GuardedResponse> {
      await pace();
      return requestFeed(ctx, `${origin}/feed`, { authorization: "" });
    },
  };
}

/**
 * The archive's first page, from the first origin that has one. A rate limit is no miss: it is
 * thrown, lest the archive be looked for in the wrong place.
 *
 * @param remembered Where it was last time.
 * @throws UpstreamError of the first origin asked when none has the archive.
 */
export async function findArchive(api: Api, home: string, remembered: string | null): Promise<ArchivePage> {
  const origins = new Set([...(remembered ? [remembered] : []), ...nearbyOrigins(home)]);
  let failure: unknown;
  for (const origin of origins) {
    try {
      return await api.listPosts(origin, 0);
    } catch (error) {
      if (!isMiss(error)) throw error;
      failure ??= error;
    }
  }
  throw failure;
}

/** May the same thing be found elsewhere, on another host or in the RSS feed? */
export function isMiss(error: unknown): boolean {
  return error instanceof UpstreamError && error.code !== "rate_limited";
}

function parse<T>(response: GuardedResponse, read: (bytes: Uint8Array) => T): T {
  try {
    return read(response.body);
  } catch (error) {
    if (!(error instanceof NotSubstack)) throw error;
    throw new UpstreamError(
      "not_a_feed",
      `${new URL(response.url).host} answered ${error.message} It may not be a Substack publication, or it keeps programs out.`,
      { retryable: true, status: response.status, detail: sampleOf(response) },
      { cause: error },
    );
  }
}

/** The token may be given bare or as a browser shows it, `substack.sid=…`. */
function toCookie({ credentials }: ApiContext): string | null {
  if (credentials.type !== "bearer") return null;
  const value = credentials.token
    .trim()
    .replace(/^substack\.sid\s*=\s*/i, "")
    .replace(/;$/, "");
  if (!/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/.test(value)) {
    throw new UpstreamError(
      "unauthorized",
      "The reader's cookie has characters that a cookie cannot have. Copy the value of substack.sid from your browser again.",
      { retryable: false },
    );
  }
  return `substack.sid=${value}`;
}
