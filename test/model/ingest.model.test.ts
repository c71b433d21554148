import fc from "fast-check";
import { expect, it } from "vitest";
import { serializeCursor, toAdapterCursor } from "@/server/ingest/cursor";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { resetCursor } from "@/server/ingest/reset-cursor";
import type { IngestInput, IngestResult } from "@/server/ingest/schema";
import { approveHeldDelete, dismissHeldDelete } from "@/server/ingest/sweep";
import { finishRun } from "@/server/runs/finish-run";
import { startRun } from "@/server/runs/start-run";
import { useDatabase } from "../database";
import { createCaller, createFeed } from "../factories";
import { type Operation, operations, spellCursor, spellVersion } from "./operations";
import {
  type ModelAnswer,
  type ModelCursor,
  type ModelDocument,
  type ModelWatermark,
  StoreModel,
} from "./store-model";

/** Interleavings per watermark; raise it for a soak. */
const RUNS = Number(process.env.TIDEMARK_MODEL_RUNS ?? 40);
const t = useDatabase();

it.each<ModelWatermark>(["date", "idSet", "token", "none"])(
  "any interleaving of pushes, replays, deletes, sweeps and resets ends as the model says (%s)",
  async (watermark) => {
    await fc.assert(
      fc.asyncProperty(operations, async (ops) => {
        const session = await Session.open(watermark);
        for (const operation of ops) await session.perform(operation);
        await session.compareState();
      }),
      { numRuns: RUNS, interruptAfterTimeLimit: 500_000 },
    );
  },
  600_000,
);

type Sent = {
  input: Omit<IngestInput, "feedId" | "runId">;
  inRun: boolean;
  documents: ModelDocument[];
  cursor?: ModelCursor | null;
  before?: ModelCursor | null;
};

/** Performs every operation on the store and on the model, and compares after each. */
class Session {
  readonly model: StoreModel;
  private sent: Sent[] = [];
  private runId: string | null = null;

  private constructor(
    readonly watermark: ModelWatermark,
    readonly caller: Awaited<ReturnType<typeof createCaller>>,
    readonly feedId: string,
  ) {
    this.model = new StoreModel(watermark);
  }

  static async open(watermark: ModelWatermark) {
    const caller = await createCaller(t.db);
    const feed = await createFeed(t.db, caller, { watermark });
    return new Session(watermark, caller, feed.id);
  }

  async perform(operation: Operation): Promise<void> {
    const cursorBefore = this.model.cursor;
    await this.dispatch(operation);
    const feed = await this.feed();
    expect(feed.cursor).toBe(this.model.cursor?.wire ?? null);
    expect(serializeCursor(toAdapterCursor(feed.watermark, feed.cursor)) === null).toBe(feed.cursor === null);
    if (operation.op !== "reset" && this.watermark !== "token") {
      expect(this.model.cursor?.n ?? -1, "the cursor went back").toBeGreaterThanOrEqual(
        cursorBefore?.n ?? -1,
      );
    }
  }

  private async dispatch(operation: Operation): Promise<void> {
    switch (operation.op) {
      case "push":
        return this.push(this.compose(operation));
      case "replay": {
        const sent = this.sent[operation.which % Math.max(1, this.sent.length)];
        return sent && this.push(sent);
      }
      case "reset":
        return this.reset(operation.which);
      case "begin":
        return this.begin(operation.listing);
      case "finish":
        return this.finish(operation.complete);
      case "decide":
        return this.decide(operation.approve);
    }
  }

  private compose(operation: Extract<Operation, { op: "push" }>): Sent {
    const { documents, spelling } = operation;
    const hasCursor = this.watermark !== "none" && typeof operation.cursor === "number";
    const cursor = hasCursor ? spellCursor(this.watermark, operation.cursor as number, spelling) : undefined;
    const before = this.composeBefore(operation);
    return {
      documents,
      cursor,
      before,
      inRun: operation.inRun,
      input: {
        documents: documents.map((d) => ({
          id: d.key,
          version: d.version === null ? undefined : spellVersion(d.version, d.isOtherKind, spelling),
          text: `content ${d.content}`,
          deleted: d.deleted || undefined,
        })),
        ...(cursor && {
          cursor: cursor.wire.startsWith("{") && spelling === 3 ? JSON.parse(cursor.wire) : cursor.wire,
        }),
        ...(before !== undefined && { cursorBefore: before === null ? null : before.wire }),
      },
    };
  }

  private composeBefore({
    before,
    spelling,
  }: Extract<Operation, { op: "push" }>): ModelCursor | null | undefined {
    if (before.kind === "absent" || this.watermark === "none") return undefined;
    if (before.kind === "none") return null;
    if (before.kind === "stored") return this.model.cursor;
    return spellCursor(this.watermark, before.n, (spelling + 1) % 4);
  }

  private async push(sent: Sent): Promise<void> {
    this.sent.push(sent);
    const inRun = sent.inRun && this.runId !== null;
    const expected = this.model.push(sent.documents, sent.cursor, sent.before, inRun);
    // By turns the short way and, through a handle that hides the pool, the long one: they must agree.
    const db = this.sent.length % 2 === 0 ? t.db : new Proxy(t.db, {});
    const actual = await ingestDocuments(db, this.caller, {
      feedId: this.feedId,
      ...sent.input,
      ...(inRun && { runId: this.runId as string }),
    });
    expect(summarise(actual)).toEqual(expected);
    expect(
      actual.created +
        actual.updated +
        actual.documentsSkipped +
        actual.documentsDeleted +
        actual.documentsRejected.length,
    ).toBe(sent.documents.length);
    if (!inRun) await this.compareRun(actual);
  }

  private async compareRun(answer: IngestResult): Promise<void> {
    const run = await t.db.syncRun.findFirstOrThrow({ where: { id: answer.runId } });
    expect(run).toMatchObject({
      status: "succeeded",
      pages: 1,
      created: answer.created,
      updated: answer.updated,
      skipped: answer.documentsSkipped,
      deleted: answer.documentsDeleted,
      rejected: answer.documentsRejected.length,
      cursorAfter: answer.cursor,
      warnings: answer.warnings,
    });
  }

  private async reset(which: number | null): Promise<void> {
    const transitions = await t.db.cursorTransition.findMany({
      where: { feedId: this.feedId },
      orderBy: { id: "asc" },
    });
    expect(transitions.map((transition) => transition.to)).toEqual(
      this.model.transitions.map((c) => c?.wire ?? null),
    );
    const index = which === null ? null : which % Math.max(1, transitions.length);
    const to = index === null ? null : transitions[index];
    if (to === undefined) return;
    const act = resetCursor(t.db, this.caller, {
      feedId: this.feedId,
      to: to?.id ?? null,
      reason: "because",
    });
    if (this.runId) {
      await expect(act).rejects.toMatchObject({ code: "run_active" });
      return;
    }
    await act;
    this.model.reset(index === null ? null : (this.model.transitions[index] ?? null));
  }

  private async begin(listing: boolean): Promise<void> {
    const act = startRun(t.db, this.caller, {
      feedId: this.feedId,
      trigger: "api",
      executor: "api",
      listing,
    });
    if (this.runId) {
      await expect(act).rejects.toMatchObject({ code: "run_active" });
      return;
    }
    this.runId = (await act).runId;
    this.model.beginRun(listing);
  }

  private async finish(complete: boolean): Promise<void> {
    if (!this.runId) return;
    const runId = this.runId;
    this.runId = null;
    await finishRun(t.db, this.caller, { runId, status: "succeeded", complete });
    const { held } = this.model.finishRun(complete);
    const hold = await t.db.heldDelete.findFirst({ where: { feedId: this.feedId, runId } });
    expect(hold?.count ?? 0).toBe(held);
    await expect(t.db.runKey.count({ where: { runId } })).resolves.toBe(0);
  }

  private async decide(approve: boolean): Promise<void> {
    const hold = await t.db.heldDelete.findFirst({ where: { feedId: this.feedId, status: "held" } });
    expect(hold === null).toBe(this.model.hold === null);
    if (!hold) return;
    const target = { feedId: this.feedId, holdId: hold.id };
    if (approve) {
      const { deleted } = await approveHeldDelete(t.db, this.caller, target);
      expect(deleted).toBe(this.model.approve());
    } else {
      await dismissHeldDelete(t.db, this.caller, target);
      this.model.hold = null;
    }
  }

  private feed() {
    return t.db.feed.findFirstOrThrow({ where: { workspaceId: this.caller.workspaceId, id: this.feedId } });
  }

  async compareState(): Promise<void> {
    const stored = await t.db.document.findMany({ where: { feedId: this.feedId }, orderBy: { seq: "asc" } });
    const actual = stored.map((row) => ({
      key: row.externalId,
      state: row.state,
      kind: row.deleteKind,
      // Decimal versions are their own number; timestamps differ in the sixth digit of the fraction.
      version: row.versionOrder === null ? null : Number(String(row.versionOrder).slice(-1)),
      text: row.text,
    }));
    const expected = [...this.model.rows]
      .sort(([, a], [, b]) => a.seq - b.seq)
      .map(([key, row]) => ({
        key,
        state: row.state,
        kind: row.kind,
        version: row.version,
        text: row.content === null ? null : `content ${row.content}`,
      }));
    const swept = new Set<string | null>(
      [...this.model.rows].filter(([, row]) => row.wasSwept).map(([key]) => key),
    );
    expect(inComparableOrder(actual, swept)).toEqual(inComparableOrder(expected, swept));
    const live = expected.filter((row) => row.state === "live").length;
    expect((await this.feed()).documentCount).toBe(live);
  }
}

/** By seq; what one sweep took has no order within it, so those rows come last, by key. */
function inComparableOrder<Row extends { key: string | null }>(
  rows: Row[],
  swept: Set<string | null>,
): Row[] {
  const taken = rows
    .filter((row) => swept.has(row.key))
    .sort((a, b) => ((a.key ?? "") < (b.key ?? "") ? -1 : 1));
  return [...rows.filter((row) => !swept.has(row.key)), ...taken];
}

function summarise(answer: IngestResult): ModelAnswer {
  return {
    created: answer.created,
    updated: answer.updated,
    skipped: answer.documentsSkipped,
    deleted: answer.documentsDeleted,
    rejected: answer.documentsRejected.map((r) => r.code).sort(),
    outcome: answer.cursorOutcome,
    conflict: answer.conflict,
    cursor: answer.cursor,
  };
}
