import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SCOPES } from "@/server/access/principal";
import type { Caller } from "@/server/actor";
import { openCursor } from "@/server/changes/cursor";
import { changeEpoch } from "@/server/changes/identity";
import { parsePage, pullChanges } from "@/server/changes/pull-changes";
import type { ChangePage } from "@/server/changes/schema";
import { AppError } from "@/server/errors";
import { useDatabase } from "../database";
import { createCaller, createFeed } from "../factories";
import { FeedModel, type ModelChange, type ModelPlace } from "./feed-model";

/** Interleavings; raise it for a soak. */
const RUNS = Number(process.env.TIDEMARK_MODEL_RUNS ?? 40);
const WRITERS = 4;
const t = useDatabase();
let clients: pg.Client[] = [];

beforeAll(async () => {
  clients = Array.from({ length: WRITERS }, () => new pg.Client({ connectionString: t.url }));
  await Promise.all(clients.map((client) => client.connect()));
});
afterAll(() => Promise.all(clients.map((client) => client.end())));

const small = fc.nat({ max: 5 });
const operation = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant("begin" as const),
      writer: small,
      key: small,
      isDelete: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ op: fc.constant("commit" as const), writer: small }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("rollback" as const), writer: small }) },
  {
    weight: 8,
    arbitrary: fc.record({
      op: fc.constant("pull" as const),
      follower: small,
      limit: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("restart" as const), follower: small }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("purge" as const), which: small }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("newEpoch" as const) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

it("any order of begins, commits, rollbacks, pulls and purges gives the model's pages and errors", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 60, size: "max" }), async (operations) => {
      const session = await Session.open();
      try {
        for (const one of operations) await session.perform(one);
      } finally {
        await session.end();
      }
    }),
    { numRuns: RUNS, interruptAfterTimeLimit: 500_000 },
  );
}, 600_000);

type Follower = { cursor: string | null; place: ModelPlace | null; feed: "a" | "b" | null };

/** Performs every operation on the database and on the model, and compares what is pulled. */
class Session {
  private readonly open: (ModelChange | null)[] = Array(WRITERS).fill(null);
  private readonly followers: Follower[] = [null, null, "a", "a", "b", null].map((feed) => ({
    cursor: null,
    place: null,
    feed: feed as Follower["feed"],
  }));

  private constructor(
    private readonly caller: Caller,
    private readonly feeds: Record<string, { id: string; sourceId: string }>,
    private readonly model: FeedModel,
  ) {}

  static async open(): Promise<Session> {
    const caller = await createCaller(t.db);
    const feeds = { a: await createFeed(t.db, caller), b: await createFeed(t.db, caller) };
    const [row] = await t.db.$queryRaw<{ last: bigint }[]>`SELECT last_value AS last FROM document_seq`;
    return new Session(caller, feeds, new FeedModel((row?.last ?? 0n) + 1n));
  }

  async end(): Promise<void> {
    for (const writer of this.open.keys()) if (this.open[writer]) await clients[writer]?.query("ROLLBACK");
  }

  async perform(operation: Operation): Promise<void> {
    switch (operation.op) {
      case "begin":
        return this.begin(operation.writer % WRITERS, operation.key, operation.isDelete);
      case "commit":
      case "rollback":
        return this.finish(operation.writer % WRITERS, operation.op);
      case "pull":
        return this.pull(this.followers[operation.follower] as Follower, operation.limit);
      case "restart":
        Object.assign(this.followers[operation.follower] as Follower, { cursor: null, place: null });
        return;
      case "purge":
        return this.purge(operation.which);
      case "newEpoch":
        return this.newEpoch();
    }
  }

  private async begin(writer: number, keyNumber: number, isDelete: boolean): Promise<void> {
    const key = `key-${keyNumber}`;
    // A second writer of a key would wait for the first, as for the feed's lock.
    if (this.open[writer] || this.open.some((change) => change?.key === key)) return;
    const feed = keyNumber % 2 ? "a" : "b";
    const row = this.feeds[feed];
    const client = clients[writer];
    await client?.query("BEGIN");
    const result = await client?.query<{ seq: string }>(
      `INSERT INTO documents (workspace_id, id, feed_id, source_id, external_id, state, delete_kind, seq)
       VALUES ($1, $2, $3, $4, $2, $5::"DocumentState", $6::"DeleteKind", nextval('document_seq'))
       ON CONFLICT (workspace_id, id) DO UPDATE
          SET state = excluded.state, delete_kind = excluded.delete_kind, seq = excluded.seq, external_id = excluded.external_id
       RETURNING seq`,
      [
        this.caller.workspaceId,
        key,
        row?.id,
        row?.sourceId,
        isDelete ? "tombstone" : "live",
        isDelete ? "explicit" : null,
      ],
    );
    const seq = this.model.begin();
    expect(BigInt(result?.rows[0]?.seq ?? 0)).toBe(seq);
    this.open[writer] = { seq, key, feed, isDelete };
  }

  private async finish(writer: number, how: "commit" | "rollback"): Promise<void> {
    const change = this.open[writer];
    if (!change) return;
    await clients[writer]?.query(how);
    this.open[writer] = null;
    if (how === "commit") this.model.commit(change);
    else this.model.rollback(change.seq);
  }

  private async pull(follower: Follower, limit: number): Promise<void> {
    const feedId = follower.feed ? this.feeds[follower.feed]?.id : undefined;
    const expected = this.model.pull(follower.place, limit, follower.feed);
    const answer = await this.ask({ cursor: follower.cursor ?? undefined, limit, feedId });
    if ("expired" in expected) {
      expect(answer).toEqual({ expired: expected.expired });
      Object.assign(follower, { cursor: null, place: null });
      return;
    }
    if ("expired" in answer) throw new Error(`expired (${answer.expired}) where the model serves a page`);
    expect(answer.changes.map(({ seq, documentId, op }) => [seq, documentId, op])).toEqual(
      expected.changes.map(({ seq, key, isDelete }) => [String(seq), key, isDelete ? "delete" : "upsert"]),
    );
    expect(answer.hasMore).toBe(expected.hasMore);
    const { seq, snapshotBound } = openCursor(answer.cursor, this.caller.workspaceId, { feedId });
    expect({ after: seq, firstBound: snapshotBound }).toEqual({
      after: expected.next.after,
      firstBound: expected.next.firstBound,
    });
    Object.assign(follower, { cursor: answer.cursor, place: expected.next });
  }

  private async ask(input: {
    cursor?: string;
    limit: number;
    feedId?: string;
  }): Promise<ChangePage | { expired: unknown }> {
    const principal = {
      caller: this.caller,
      scopes: new Set(SCOPES),
      role: null,
      userId: null,
      tokenId: null,
    };
    try {
      return parsePage(await pullChanges(t.db, principal, this.caller, input));
    } catch (error) {
      if (error instanceof AppError && error.code === "cursor_expired")
        return { expired: error.info.extra?.reason };
      throw error;
    }
  }

  /** As purge does it, beside open writers; only a row that one of them holds would make it wait. */
  private async purge(which: number): Promise<void> {
    const purgeable = this.model.purgeable.filter((seq) => seq > this.model.horizon);
    const upto = purgeable[which % Math.max(1, purgeable.length)];
    if (upto === undefined) return;
    if (this.open.some((change) => change && this.model.isPurged(change.key, upto))) return;
    const { workspaceId } = this.caller;
    await t.db.$transaction([
      t.db.$executeRaw`UPDATE workspaces SET horizon = ${upto} WHERE id = ${workspaceId}`,
      t.db.$executeRaw`
        UPDATE documents SET state = 'grave', seq = NULL, external_id = NULL
         WHERE workspace_id = ${workspaceId} AND state = 'tombstone' AND seq <= ${upto}`,
    ]);
    this.model.gc(upto);
  }

  private async newEpoch(): Promise<void> {
    const { epoch } = await t.db.instance.findUniqueOrThrow({ where: { id: 1 } });
    await changeEpoch(t.db, { from: epoch, why: "model test" });
    this.model.epoch += 1;
  }
}
