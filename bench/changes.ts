import pg from "pg";
import { Client } from "undici";
import { createToken } from "@/server/access/tokens";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { makeBatch } from "./documents";
import { createInstallation } from "./installation";
import { startPouchdb, toBulkDocs } from "./pouchdb";
import { RARE_IN, seedDocuments } from "./seed-documents";
import { createStore } from "./store";
import { add, type Pull, type Walked, walk } from "./walk";

/**
 * `npm run bench -- changes`: how fast the change feed is followed, against the same rows read by a bare
 * `pg` loop and the same documents followed on a PouchDB server; then what a page costs while the store
 * grows. All in one run, in interleaved rounds; one follower, over HTTP with a token.
 */
const ROUNDS = 3;
const PHASE_MS = 1_000;
const BATCHES = 200;
const LIMITS = [1, 10, 100, 1_000];
/** Rows in the store where a page's cost is measured. */
const SIZES = [10_000, 100_000, 500_000];
const PAGE_LIMIT = 100;
/** Design §14. */
const TARGETS = { peer: 5, bare: 0.3 };

const installation = await createInstallation();
try {
  await bench();
} finally {
  await installation.end();
}

async function bench(): Promise<void> {
  const { databaseUrl } = installation;
  const keys = ["pushed", "grown", "rare"];
  const { db, caller, sourceId, feedIds } = await createStore(databaseUrl, 4, keys);
  const { workspaceId } = caller;
  const [feedId, grownId, rareFeedId] = feedIds as [string, string, string];
  const { token } = await createToken(db, caller, { name: "bench", scopes: ["changes:read"] });
  const server = await installation.startServer();
  const peer = await startPouchdb(installation.directory, 1);
  const client = new pg.Client({ connectionString: databaseUrl });
  // Its loss at the end must not hide what went wrong before.
  client.on("error", () => {});
  await client.connect();
  const connection = new Client(server.url);

  /** @param query what comes after `limit` and `cursor`. */
  const follow = (limit: number, query: string): Pull => {
    const headers = { authorization: `Bearer ${token}` };
    return async (cursor) => {
      const path = `/api/v1/changes?limit=${limit}${query}${cursor ? `&cursor=${cursor}` : ""}`;
      const response = await connection.request({ method: "GET", path, headers });
      const text = await response.body.text();
      if (response.statusCode !== 200) throw new Error(`changes answered ${response.statusCode}: ${text}`);
      const page = JSON.parse(text) as { changes: unknown[]; cursor: string; hasMore: boolean };
      return { count: page.changes.length, next: page.cursor, hasMore: page.hasMore };
    };
  };
  const readBare = (limit: number, withText: boolean): Pull => {
    const text = `SELECT seq, state, id, feed_id, source_id, external_id, version, changed_at, title, url, author,
                         date, metadata${withText ? ", text" : ""}
                    FROM documents WHERE workspace_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`;
    return async (after) => {
      const { rows } = await client.query({
        name: `bare${withText}`,
        text,
        values: [workspaceId, after ?? "0", limit],
      });
      return { count: rows.length, next: rows.at(-1)?.seq ?? null, hasMore: rows.length === limit };
    };
  };

  for (let batch = 0; batch < BATCHES; batch++) {
    const documents = makeBatch();
    await ingestDocuments(db, caller, { feedId, documents });
    await peer.store(0, toBulkDocs(documents));
  }
  await client.query("VACUUM ANALYZE documents");

  const ways: { name: string; limit: number; text: boolean; kind: "ours" | "bare" | "peer"; pull: Pull }[] =
    [];
  for (const limit of LIMITS) {
    for (const text of [false, true]) {
      const named = (who: string) => `${who}, ${limit} a page${text ? ", text" : ""}`;
      ways.push({
        name: named("changes"),
        limit,
        text,
        kind: "ours",
        pull: follow(limit, text ? "&text=true" : ""),
      });
      ways.push({ name: named("bare pg"), limit, text, kind: "bare", pull: readBare(limit, text) });
    }
    const pull: Pull = (since) => peer.pull(since ?? "0", limit);
    ways.push({ name: `PouchDB, ${limit} a page, text`, limit, text: true, kind: "peer", pull });
  }
  const results = new Map<string, Walked>();
  // The first round warms up compiled code, prepared statements and caches; it is not counted.
  for (let round = 0; round <= ROUNDS; round++) {
    process.stdout.write(round === 0 ? "Warming up\n" : `Round ${round} of ${ROUNDS}\n`);
    for (const { name, pull } of ways) {
      const walked = await walk(pull, PHASE_MS);
      if (round > 0) results.set(name, add(results.get(name), walked));
    }
  }
  report(ways, results);

  process.stdout.write(`\nA page of ${PAGE_LIMIT} while the store grows, in milliseconds:\n`);
  const place = { workspaceId, sourceId, feedId: grownId, rareFeedId };
  let stored = BATCHES * 50;
  for (const size of SIZES) {
    await seedDocuments(client, place, stored, size);
    stored = size;
    const costs = [];
    for (const [name, query] of [
      ["unfiltered", ""],
      [`filter on 1 in ${RARE_IN}`, `&feedId=${rareFeedId}`],
    ] as const) {
      await walk(follow(PAGE_LIMIT, query), PHASE_MS / 2);
      const { pages, seconds } = await walk(follow(PAGE_LIMIT, query), PHASE_MS);
      costs.push(`${name} ${((seconds * 1000) / pages).toFixed(2)}`);
    }
    process.stdout.write(`  ${String(size).padStart(7)} documents   ${costs.join("   ")}\n`);
  }

  await connection.close();
  await client.end();
  await peer.end();
  await db.$disconnect();
}

function report(
  ways: { name: string; limit: number; text: boolean; kind: string }[],
  results: Map<string, Walked>,
) {
  const rate = (limit: number, text: boolean, kind: string) => {
    const way = ways.find((one) => one.limit === limit && one.text === text && one.kind === kind);
    const { changes, seconds } = results.get(way?.name ?? "") ?? { changes: 0, seconds: 1 };
    return changes / seconds;
  };
  const format = (value: number) => Math.round(value).toLocaleString("en").padStart(9);
  process.stdout.write("\nChanges a second, one follower:\n");
  let worst = { bare: Number.POSITIVE_INFINITY, peer: Number.POSITIVE_INFINITY };
  for (const limit of LIMITS) {
    for (const text of [false, true]) {
      const ours = rate(limit, text, "ours");
      const bare = ours / rate(limit, text, "bare");
      const peer = text ? ours / rate(limit, text, "peer") : null;
      // A page of one is a request and nothing else; what counts is following.
      if (limit >= PAGE_LIMIT)
        worst = { bare: Math.min(worst.bare, bare), peer: Math.min(worst.peer, peer ?? worst.peer) };
      process.stdout.write(
        `  limit ${String(limit).padStart(4)} ${text ? "with text   " : "without text"}  ours ${format(ours)}` +
          `   bare pg ${format(rate(limit, text, "bare"))} (${bare.toFixed(2)} of it)` +
          (peer === null
            ? ""
            : `   PouchDB ${format(rate(limit, text, "peer"))} (${peer.toFixed(1)} times it)`) +
          "\n",
      );
    }
  }
  const verdict = (met: boolean) => (met ? "met" : "missed");
  process.stdout.write(
    `\nTarget: at least ${TARGETS.peer} times PouchDB at ${PAGE_LIMIT} a page and more: ${verdict(worst.peer >= TARGETS.peer)} (${worst.peer.toFixed(1)})\n` +
      `Target: at least ${TARGETS.bare} of the bare loop: ${verdict(worst.bare >= TARGETS.bare)} (${worst.bare.toFixed(2)})\n`,
  );
}
