import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { channels, harbourNotes, lighthouseLog, tideTables } from "@/app/demo/demo-channels";
import { getItem, listItems } from "@/app/demo/demo-items";
import { renderAtom, renderItem, renderJsonFeed, renderRss, renderSite } from "@/app/demo/render-demo";
import { env } from "@/server/env";

export const dynamic = "force-dynamic";

/** Slow enough to be seen in a run's events, within the fetch's time limits. */
const SLOW_MS = 4_000;
const RATE_LIMIT_MINUTES = 10;

/**
 * The upstreams of `npm run up -- --demo`: three feeds that work, a slow one, one that fails and one that
 * limits its visitors. Without the demo there is nothing here.
 */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ path?: string[] }> },
): Promise<Response> {
  const origin = env().TIDEMARK_DEMO_ORIGIN;
  if (!origin) return new Response("Not found", { status: 404 });
  const { path = [] } = await params;
  const now = new Date();

  switch (path.join("/")) {
    case "":
      return answer(request, renderSite());
    case "harbour.xml":
      return answer(request, renderRss(harbourNotes, listItems(harbourNotes, origin, now), origin));
    case "lighthouse.atom":
      return answer(request, renderAtom(lighthouseLog, listItems(lighthouseLog, origin, now), origin));
    case "tides.json":
      return answer(request, renderJsonFeed(tideTables, listItems(tideTables, origin, now), origin));
    case "slow.xml":
      await delay(SLOW_MS);
      return answer(
        request,
        renderRss({ ...harbourNotes, title: "The Slow Boat" }, listItems(harbourNotes, origin, now), origin),
      );
    case "broken.xml":
      return new Response("The press is broken; the printer has been sent for.", { status: 500 });
    case "limited.xml": {
      // Open for one visit window in two, so that the feed is seen both limited and well.
      const minute = Math.floor(now.getTime() / 60_000);
      if (Math.floor(minute / RATE_LIMIT_MINUTES) % 2 === 0) {
        const seconds = (RATE_LIMIT_MINUTES - (minute % RATE_LIMIT_MINUTES)) * 60;
        return new Response("Too many visitors.", {
          status: 429,
          headers: { "retry-after": String(seconds) },
        });
      }
      return answer(
        request,
        renderRss(
          { ...lighthouseLog, title: "The Weather Office" },
          listItems(lighthouseLog, origin, now),
          origin,
        ),
      );
    }
    default:
      return itemPage(request, path, origin, now);
  }
}

function itemPage(request: Request, [slug, number]: string[], origin: string, now: Date): Response {
  const channel = channels.find((candidate) => candidate.slug === slug);
  const item = channel && getItem(channel, origin, Number(number), now);
  return item ? answer(request, renderItem(item)) : new Response("Not found", { status: 404 });
}

/** With validators, as good upstreams have them. */
function answer(request: Request, { body, contentType }: { body: string; contentType: string }): Response {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const headers = { etag, "cache-control": "no-cache" };
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, "content-type": contentType } });
}
