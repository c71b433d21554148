import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { type Principal, SCOPES } from "@/server/access/principal";
import type { Caller } from "@/server/actor";
import { poolOf } from "@/server/db";
import { AppError } from "@/server/errors";
import { deleteFeed } from "@/server/feeds/delete-feed";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { createRandom, type Random } from "@/test/kills/random";
import { changeEpoch } from "./identity";
import { parsePage, pullChanges } from "./pull-changes";
import { purgeTombstones } from "./purge-tombstones";
import { dropAhead, endPauses } from "./read-ahead";
import { beginWalk, pageBody, readChanges } from "./read-changes";
import { readBound } from "./safe-point";

/** Each of them a few pages of one walk, with something between two of them now and then; more in a soak. */
const WALKS = 3 * Number(process.env.TIDEMARK_MODEL_RUNS ?? 40);
const WRITERS = 4;
/** Of each feed. */
const KEYS = 25;
/** server/changes/read-page.ts; a block that is read ahead has fewer. */
const PAGE_BYTES = String(8 * 1024 * 1024);

const t = useDatabase();
let clients: pg.Client[];

beforeAll(async () => {
  clients = Array.from({ length: WRITERS }, () => new pg.Client({ connectionString: t.url }));
  await Promise.all(clients.map((client) => client.connect()));
});
afterAll(() => Promise.all(clients.map((client) => client.end())));
afterEach(() => vi.restoreAllMocks());

it("every page is, byte for byte, the one that a reading at that moment brings", async () => {
  const random = createRandom();
  const story = await Story.begin(random);
  for (let walk = 0; walk < WALKS; walk += 1) await story.walk();
  await story.end();
  // Without this the test would show nothing. A busy machine reads fewer ahead, for their time is bounded.
  expect(story.pages.readAhead, `pages were read ahead (seed ${random.seed})`).toBeGreaterThan(WALKS / 20);
}, 600_000);

type Feed = { id: string; sourceId: string };
type Pull = { cursor?: string; feedId?: string; sourceId?: string; text: boolean };

class Story {
  readonly pages = { readAhead: 0 };
  /** The statements that read blocks, as they were sent. */
  private blocks: Promise<unknown>[] = [];
  /** How many pages were read when they were asked for. */
  private readings = 0;
  /** What each writer holds. */
  private readonly open: (string[] | null)[] = Array(WRITERS).fill(null);
  /** Documents that were deleted, as far as that is committed. */
  private readonly gone = new Set<string>();
  /** Places that were handed out in this epoch. */
  private places: Pull[] = [];

  private constructor(
    private readonly random: Random,
    private readonly caller: Caller,
    private readonly stranger: Caller,
    private readonly feeds: Feed[],
  ) {}

  static async begin(random: Random): Promise<Story> {
    const caller = await createCaller(t.db);
    const stranger = await createCaller(t.db);
    const feeds = [
      await createFeed(t.db, caller),
      await createFeed(t.db, caller),
      await createFeed(t.db, stranger),
    ];
    const story = new Story(random, caller, stranger, feeds);
    for (const feed of feeds) await story.fill(feed);
    story.countReadings();
    return story;
  }

  async end(): Promise<void> {
    for (const writer of this.open.keys()) await this.finish(writer, "ROLLBACK");
  }

  private is(percent: number): boolean {
    return this.random.int(1, 100) <= percent;
  }

  private oneOf<T>(list: readonly T[]): T {
    return list[this.random.int(0, list.length - 1)] as T;
  }

  private countReadings(): void {
    const pool = poolOf(t.db) as pg.Pool;
    const query = pool.query.bind(pool) as (config: { text: string; values?: unknown[] }) => Promise<unknown>;
    vi.spyOn(pool, "query").mockImplementation(((config: { text: string; values?: unknown[] }) => {
      const sent = query(config);
      const [bound, , , , , , , , maxBytes] = config.values ?? [];
      if (config.text?.includes("read_changes") && bound === null) {
        if (String(maxBytes) === PAGE_BYTES) this.readings += 1;
        else this.blocks.push(sent);
      }
      return sent;
    }) as never);
  }

  async walk(): Promise<void> {
    const own = this.feeds.slice(0, 2);
    let pull: Pull =
      this.places.length > 0 && this.is(40)
        ? this.oneOf(this.places)
        : {
            text: this.is(30),
            ...this.oneOf([{}, {}, { feedId: own[0]?.id }, { sourceId: own[1]?.sourceId }]),
          };
    let limit = this.random.int(1, 7);
    // While an older writer is open, nothing that was read ahead is given out.
    if (this.is(60)) for (const writer of this.open.keys()) await this.finish(writer, "COMMIT");
    // What earlier walks left would soon take all the room; some of it stays, to be found old.
    if (this.is(70)) dropAhead(t.db);
    // Reading ahead goes on after it was in vain, without waiting for a second.
    endPauses(t.db);
    for (let page = this.random.int(2, 8); page > 0; page -= 1) {
      const next = await this.compare(pull, limit);
      if (next === null) return;
      pull = { ...pull, cursor: next };
      this.places.push(pull);
      if (this.is(60)) await Promise.all(this.blocks.splice(0));
      if (this.is(40)) await this.happen();
      if (this.is(10)) limit = this.random.int(1, 7);
    }
  }

  /** @returns the next cursor; null when there is no more, or the cursor has expired. */
  private async compare(pull: Pull, limit: number): Promise<string | null> {
    const before = this.readings;
    // At the same place at once: one of them finds what was read ahead.
    const answers = await Promise.all(
      Array.from({ length: this.is(15) ? 2 : 1 }, () => this.answerOf(() => this.ask({ ...pull, limit }))),
    );
    if (this.readings - before < answers.length) this.pages.readAhead += 1;
    const fresh = await this.answerOf(() => readFresh(this.caller, { ...pull, limit }));
    for (const answer of answers)
      expect(answer, `seed ${this.random.seed}, ${JSON.stringify({ ...pull, limit })}`).toBe(fresh);
    if (fresh.startsWith("refused")) return null;
    const { cursor, hasMore } = parsePage(Buffer.from(fresh));
    return hasMore ? cursor : null;
  }

  private ask(input: Pull & { limit: number }): Promise<Buffer> {
    const { caller } = this;
    const principal: Principal = { caller, scopes: new Set(SCOPES), role: null, userId: null, tokenId: null };
    return pullChanges(t.db, principal, caller, input);
  }

  private async answerOf(read: () => Promise<Buffer>): Promise<string> {
    try {
      return (await read()).toString();
    } catch (error) {
      if (error instanceof AppError) return `refused: ${error.code} ${error.info.extra?.reason}`;
      throw error;
    }
  }

  private async happen(): Promise<void> {
    const what = this.random.int(1, 100);
    const writer = this.random.int(0, WRITERS - 1);
    if (what <= 45) {
      await this.write(writer);
      return this.is(60) ? this.finish(writer, "COMMIT") : undefined;
    }
    if (what <= 70) return this.finish(writer, this.is(80) ? "COMMIT" : "ROLLBACK");
    if (what <= 88) return this.purge();
    if (what <= 94) return this.replaceFeed();
    const { epoch } = await t.db.instance.findUniqueOrThrow({ where: { id: 1 } });
    await changeEpoch(t.db, { from: epoch, why: "test" });
    if (this.is(50)) this.places = [];
  }

  private async fill(feed: Feed): Promise<void> {
    for (let key = 0; key < KEYS; key += 1)
      await this.put(clients[0] as pg.Client, feed, `${feed.id}-${key}`, false);
  }

  /** Begins a transaction, or goes on with it; some of its changes are taken back at once. */
  private async write(writer: number): Promise<void> {
    const client = clients[writer] as pg.Client;
    const feed = this.oneOf(this.feeds);
    const key = `${feed.id}-${this.random.int(0, KEYS)}`;
    // A second writer of a document would wait for the first.
    if (this.open.some((keys, other) => other !== writer && keys?.some((held) => held.endsWith(key)))) return;
    const held = this.open[writer] ?? [];
    if (held.length === 0) await client.query("BEGIN");
    this.open[writer] = held;
    await client.query("SAVEPOINT s");
    const isDelete = this.is(40);
    await this.put(client, feed, key, isDelete);
    const isTakenBack = this.is(20);
    if (isTakenBack) await client.query("ROLLBACK TO s");
    held.push(`${isTakenBack ? " " : isDelete ? "-" : "+"}${key}`);
  }

  private async put(client: pg.Client, feed: Feed, id: string, isDelete: boolean): Promise<void> {
    const { workspaceId } = feed === this.feeds[2] ? this.stranger : this.caller;
    // Tombstones are older than any retention from the start.
    await client.query(
      `INSERT INTO documents (workspace_id, id, feed_id, source_id, external_id, title, text, state, delete_kind, changed_at, seq)
       VALUES ($1, $2, $3, $4, $2, $5, $6, $7::"DocumentState", $8::"DeleteKind", now() - $9::interval, nextval('document_seq'))
       ON CONFLICT (workspace_id, id) DO UPDATE
          SET title = excluded.title, text = excluded.text, state = excluded.state, delete_kind = excluded.delete_kind,
              changed_at = excluded.changed_at, seq = excluded.seq, external_id = excluded.external_id`,
      [workspaceId, id, feed.id, feed.sourceId].concat(
        isDelete
          ? ([null, null, "tombstone", "explicit", "40 days"] as never)
          : ([`t${this.random.int(0, 999)}`, 'so "it" goes\n', "live", null, "0"] as never),
      ),
    );
  }

  private async finish(writer: number, how: "COMMIT" | "ROLLBACK"): Promise<void> {
    const held = this.open[writer];
    if (!held) return;
    await clients[writer]?.query(how);
    this.open[writer] = null;
    if (how === "ROLLBACK") return;
    for (const change of held) {
      if (change.startsWith("-")) this.gone.add(change.slice(1));
      else if (change.startsWith("+")) this.gone.delete(change.slice(1));
    }
  }

  /** Beside open writers; only for a row that one of them holds it would wait. */
  private async purge(): Promise<void> {
    if (this.open.some((held) => held?.some((change) => this.gone.has(change.slice(1))))) return;
    await purgeTombstones(t.db);
  }

  private async replaceFeed(): Promise<void> {
    if (this.open.some((held) => held !== null)) return;
    const place = this.random.int(0, 1);
    await deleteFeed(t.db, this.caller, { feedId: this.feeds[place]?.id as string });
    const feed = await createFeed(t.db, this.caller);
    this.feeds[place] = feed;
    await this.fill(feed);
  }
}

/** The page as it is read on a bound of its own, which takes nothing that was read before. */
async function readFresh(caller: Caller, input: Pull & { limit: number }): Promise<Buffer> {
  const walk = beginWalk(caller, input);
  return pageBody(walk, await readChanges(t.db, walk, await readBound(t.db)));
}
