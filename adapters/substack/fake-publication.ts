import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createGuardedFetch } from "../http";
import { rssXml } from "../rss/fixtures";
import { LOOPBACK } from "../testing/upstream";

export type FakePost = {
  id: number | string;
  slug: string;
  title?: string;
  body: string;
  audience?: string;
  date?: string;
  wordcount?: number;
  /** Takes its place in the offsets and is not shown: that is how pages become short. */
  hidden?: boolean;
};

export type FakePublication = ReturnType<typeof fakePublication>;

/** The cookie that opens paid posts. */
export const COOKIE = "s%3Areader.secret";

/** A publication as Substack serves it, quirks included; tests edit `posts` (newest first) and the hooks. */
export function fakePublication(posts: FakePost[]) {
  const publication = {
    posts,
    requests: [] as { host: string; path: string; cookie?: string; authorization?: string }[],
    /** Answers instead of the publication when it returns true. */
    intercept: (_: IncomingMessage, __: ServerResponse): boolean => false,
    /** What the RSS feed's guids look like. */
    guidOf: (post: FakePost) => `https://ebb.example/p/${post.slug}`,
    /** Texts asked for since the last call. */
    takeTexts: () => takePaths(publication.requests, /^\/api\/v1\/posts\//),
    /** Offsets of the archive asked for since the last call. */
    takeOffsets: () =>
      takePaths(publication.requests, /^\/api\/v1\/archive/).map((path) =>
        Number(new URLSearchParams(path.split("?")[1]).get("offset")),
      ),
    handle: ((request, response) => {
      const { host = "", cookie, authorization } = request.headers;
      publication.requests.push({ host, path: request.url ?? "", cookie, authorization });
      if (!publication.intercept(request, response)) serve(publication, request, response);
    }) as RequestListener,
  };
  return publication;
}

function takePaths(requests: { path: string }[], pattern: RegExp): string[] {
  const found = requests.filter(({ path }) => pattern.test(path));
  for (const request of found) requests.splice(requests.indexOf(request), 1);
  return found.map(({ path }) => path.replace("/api/v1/posts/", ""));
}

function serve(publication: FakePublication, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "/", "http://fake");
  const send = (body: unknown) =>
    response.writeHead(200, { "content-type": "application/json" }).end(exactJson(body));
  if (url.pathname === "/api/v1/archive") {
    const offset = Number(url.searchParams.get("offset"));
    const limit = Number(url.searchParams.get("limit"));
    const page = publication.posts.slice(offset, offset + limit).filter(({ hidden }) => !hidden);
    send(page.map((post) => toListed(post)));
  } else if (url.pathname.startsWith("/api/v1/posts/")) {
    const slug = decodeURIComponent(url.pathname.slice("/api/v1/posts/".length));
    const post = publication.posts.find((candidate) => candidate.slug === slug);
    if (!post) return void response.writeHead(404).end("{}");
    const isOpen = post.audience !== "only_paid" || request.headers.cookie === `substack.sid=${COOKIE}`;
    send({ ...toListed(post), body_html: isOpen ? post.body : teaserOf(post) });
  } else if (url.pathname === "/feed") {
    response.writeHead(200, { "content-type": "application/xml" }).end(feedOf(publication));
  } else {
    response.writeHead(404, { "content-type": "text/html" }).end("<html>nothing</html>");
  }
}

function toListed(post: FakePost) {
  return {
    id: post.id,
    title: post.title ?? `Post ${post.slug}`,
    subtitle: "A start",
    slug: post.slug,
    type: "newsletter",
    audience: post.audience ?? "everyone",
    post_date: post.date ?? "2026-03-01T09:30:00.000Z",
    canonical_url: `https://ebb.example/p/${post.slug}`,
    description: `About ${post.slug}`,
    truncated_body_text: `Beginning of ${post.slug} ...`,
    publishedBylines: [{ id: 7, name: "A. Rowe" }],
    wordcount: post.wordcount,
    reaction_count: Math.floor(Math.random() * 1000),
    body_html: null,
  };
}

function teaserOf(post: FakePost): string | null {
  return post.body.includes("<!--paywall-->") ? (post.body.split("<!--paywall-->")[0] ?? null) : null;
}

/** Ids given as strings are written as the bare numbers they are. */
function exactJson(value: unknown): string {
  return JSON.stringify(value).replace(/"id":"(\d+)"/g, '"id":$1');
}

function feedOf({ posts, guidOf }: FakePublication): string {
  const items = posts.slice(0, 20).map((post) => ({
    guid: guidOf(post),
    link: `https://ebb.example/p/${post.slug}`,
    title: post.title ?? `Post ${post.slug}`,
    date: new Date(post.date ?? "2026-03-01T09:30:00.000Z").toUTCString(),
    body: `Feed text of ${post.slug}`,
  }));
  return rssXml(items, "<generator>substack</generator>");
}

/** `count` free posts, newest first, a day apart; ids and slugs say their number. */
export function numberedPosts(count: number, from = 1): FakePost[] {
  return Array.from({ length: count }, (_, i) => {
    const n = from + count - 1 - i;
    return {
      id: 9000 + n,
      slug: `post-${n}`,
      body: `<p>Text ${n}</p>`,
      date: new Date(Date.UTC(2026, 0, n)).toISOString(),
    };
  });
}

/** Reaches loopback under any host name. */
export const fakeFetch = createGuardedFetch({
  allowPrivateNetworks: LOOPBACK,
  resolve: async () => [{ address: "127.0.0.1", family: 4 }],
});
