import { type Page, type SyncContext, UpstreamError } from "@/sdk/adapter";
import { publicationOrigin } from "./addresses";
import { type Api, type ArchivePage, createApi, findArchive, isMiss, type Wait } from "./api";
import type { SubstackConfig } from "./config";
import { TextsWalled } from "./hand-over";
import { Memory } from "./memory";
import { planWalk } from "./plan";
import { findFeed, readFeedInstead } from "./read-feed-instead";
import { walkArchive } from "./walk-archive";

/**
 * Brings a publication up to date: its archive where that can be read, else its RSS feed.
 *
 * No move is reported when the publication redirects to another domain: adopting it would drop the
 * memory of fuller texts, and following the redirect costs one hop.
 */
export async function* syncSubstack(ctx: SyncContext<SubstackConfig>, wait: Wait): AsyncGenerator<Page> {
  const home = publicationOrigin(ctx.feed.url);
  const memory = new Memory(ctx.feed.state);
  const api = createApi(ctx, home, wait);
  const plan = planWalk(ctx, memory);

  const found = await tryArchive(api, home, memory);
  if (found.failure) {
    yield* readFeedInstead(ctx, { api, memory, home, reason: found.failure });
    return;
  }
  const { archive } = found;
  memory.apiOrigin = archive.origin;
  if (ctx.credentials.type === "bearer" && !api.sendsCookieTo(archive.origin)) {
    ctx.log.warn(
      "cookie_not_sent",
      `The publication answers at ${archive.origin}, and the reader's cookie was given for ${home}. Connect it under that address to read paid posts.`,
    );
  }

  const title = plan.fresh ? await readTitle(api, archive.origin, ctx.now()) : {};
  let isFirstPage = true;
  try {
    for await (const page of walkArchive({ ctx, api, memory, plan }, archive)) {
      yield isFirstPage ? { ...page, ...title } : page;
      isFirstPage = false;
    }
  } catch (error) {
    if (!(error instanceof TextsWalled)) throw error;
    yield* readFeedInstead(ctx, { api, memory, home, reason: error.cause });
  }
}

type Found = { archive: ArchivePage; failure?: undefined } | { archive?: undefined; failure: UpstreamError };

async function tryArchive(api: Api, home: string, memory: Memory): Promise<Found> {
  try {
    return { archive: await findArchive(api, home, memory.apiOrigin) };
  } catch (error) {
    if (error instanceof UpstreamError && isMiss(error)) return { failure: error };
    throw error;
  }
}

/** The archive does not say what the publication is called. A name is worth one request, not a failure. */
async function readTitle(api: Api, origin: string, now: Date): Promise<Pick<Page, "feedTitle">> {
  try {
    const { feed } = await findFeed(api, origin, now);
    return feed.title ? { feedTitle: feed.title } : {};
  } catch (error) {
    if (error instanceof UpstreamError && isMiss(error)) return {};
    throw error;
  }
}
