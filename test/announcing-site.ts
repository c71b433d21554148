import { beforeEach } from "vitest";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { type ClaimedLook, claimLook } from "@/server/new-feeds/claim-looks";
import { lookNow } from "@/server/new-feeds/look-now";
import { lookWhereDue } from "@/server/new-feeds/look-where-due";
import { createSource } from "@/server/sources/create-source";
import type { CreateSourceInput } from "@/server/sources/schema";
import { createCaller } from "./factories";
import { LOOPBACK, useUpstream } from "./run-feed";

const RSS = (title: string) =>
  `<rss version="2.0"><channel><title>${title}</title><link>http://x/</link><description/></channel></rss>`;

/** A site whose page announces feeds, a source connected there, and a fresh workspace for each test. */
export function useAnnouncingSite(t: { db: Db }) {
  const upstream = useUpstream();
  const site = {
    upstream,
    caller: {} as Caller,
    /** Paths of the feeds that the page announces. */
    announced: [] as string[],
    async connect(newFeeds: CreateSourceInput["newFeeds"] = {}, input: Partial<CreateSourceInput> = {}) {
      const { source } = await createSource(t.db, site.caller, {
        type: "rss",
        name: "Harbour",
        feeds: [{ externalKey: upstream.url("/tides.xml") }],
        newFeeds: { isOn: true, address: upstream.url("/"), ...newFeeds },
        ...input,
      });
      return source;
    },
    /** Looks at once, as a person. */
    look: (sourceId: string) => lookNow(t.db, site.caller, { sourceId }, LOOPBACK),
    /** Looks wherever it is due, as the schedule. */
    lookWhereDue: () => lookWhereDue(t.db, LOOPBACK),
    async claim(sourceId: string): Promise<ClaimedLook> {
      const claim = await claimLook(t.db, site.caller, sourceId);
      if (!claim) throw new Error("the look was not claimed");
      return claim;
    },
    async pathsOf(sourceId: string): Promise<string[]> {
      const feeds = await t.db.feed.findMany({ where: { sourceId }, orderBy: { createdAt: "asc" } });
      return feeds.map((feed) => new URL(feed.externalKey).pathname);
    },
  };
  beforeEach(async () => {
    site.caller = await createCaller(t.db);
    site.announced = ["/tides.xml"];
    upstream.requests.length = 0;
    upstream.answer = (request, response) => {
      const path = request.url ?? "/";
      if (path === "/" || path.startsWith("/?")) {
        const links = site.announced.map(
          (href) => `<link rel="alternate" type="application/rss+xml" href="${href}">`,
        );
        response.setHeader("content-type", "text/html").end(`<!doctype html><head>${links.join("")}</head>`);
      } else response.setHeader("content-type", "application/rss+xml").end(RSS(path));
    };
  });
  return site;
}
