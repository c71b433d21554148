import { describe, expect, it } from "vitest";
import type { Caller } from "@/server/actor";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { ingestDocuments } from "./ingest-documents";
import type { IngestInput } from "./schema";

const t = useDatabase();

async function setUp(feed: Parameters<typeof createFeed>[2] = {}) {
  const caller = await createCaller(t.db);
  const { id } = await createFeed(t.db, caller, feed);
  const push = (input: Partial<IngestInput>) =>
    ingestDocuments(t.db, caller, { feedId: id, documents: [], ...input });
  const row = (externalId: string) => t.db.document.findFirstOrThrow({ where: { feedId: id, externalId } });
  const feedRow = () => t.db.feed.findFirstOrThrow({ where: { id } });
  return { caller, feedId: id, push, row, feedRow };
}

describe("a push", () => {
  it("stores documents and cursor together and answers counts that add up", async () => {
    const { push, feedRow } = await setUp();
    const answer = await push({
      cursor: "2026-06-14T09:00:00Z",
      documents: [
        { id: "a", version: "1", title: "Ebb", text: "low" },
        { id: "b", version: "9", deleted: true },
        { id: "a", version: "2", title: "Flood" },
        { id: "" },
      ],
    });
    expect(answer).toMatchObject({
      created: 1,
      updated: 0,
      documentsSkipped: 1,
      documentsDeleted: 1,
      cursorOutcome: "advanced",
    });
    expect(answer.documentsRejected).toEqual([
      { index: 3, id: "", code: "external_id_missing", message: expect.any(String) },
    ]);
    await expect(feedRow()).resolves.toMatchObject({
      watermark: "date",
      cursor: "2026-06-14T09:00:00Z",
      documentCount: 1,
      versionKind: "decimal",
    });
  });

  it("is its own finished run in the audit trail", async () => {
    const { push, feedId } = await setUp();
    const { runId } = await push({ cursor: "5", documents: [{ id: "a" }] });
    const run = await t.db.syncRun.findFirstOrThrow({ where: { id: runId } });
    expect(run).toMatchObject({
      feedId,
      status: "succeeded",
      executor: "api",
      created: 1,
      cursorBefore: null,
      cursorAfter: "5",
      pages: 1,
    });
  });

  it("changes nothing when it is replayed", async () => {
    const { push, row, feedId } = await setUp();
    const call = {
      cursor: "5",
      cursorBefore: null,
      documents: [
        { id: "a", version: "1", text: "x" },
        { id: "b", text: "y" },
      ],
    };
    await push(call);
    const before = [await row("a"), await row("b")];
    const answer = await push(call);
    expect(answer).toMatchObject({
      documentsSkipped: 2,
      documentsIndexed: 0,
      cursorOutcome: "unchanged",
      conflict: false,
    });
    expect([await row("a"), await row("b")]).toEqual(before);
    await expect(t.db.cursorTransition.count({ where: { feedId } })).resolves.toBe(1);
  });

  it("gives the documents of one call their seqs in the order sent, over inserts and updates", async () => {
    const { push, row } = await setUp();
    await push({
      documents: [
        { id: "c", text: "1" },
        { id: "a", text: "1" },
      ],
    });
    await push({ documents: ["z", "a", "b", "c"].map((id) => ({ id, text: "2" })) });
    const seqs = (await Promise.all(["z", "a", "b", "c"].map(row))).map((doc) => Number(doc.seq));
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
  });

  it("refuses 51 documents, another source's feed, another workspace's feed and an inactive run, writing nothing", async () => {
    const { push, feedId } = await setUp();
    await expect(
      push({ documents: Array.from({ length: 51 }, (_, i) => ({ id: `d${i}` })) }),
    ).rejects.toMatchObject({ code: "too_many_documents" });
    await expect(push({ sourceId: "src_other", documents: [{ id: "a" }] })).rejects.toMatchObject({
      code: "feed_not_found",
    });
    await expect(push({ runId: "run_gone", documents: [{ id: "a" }] })).rejects.toMatchObject({
      code: "run_fenced",
    });
    const stranger: Caller = await createCaller(t.db);
    await expect(ingestDocuments(t.db, stranger, { feedId, documents: [{ id: "a" }] })).rejects.toMatchObject(
      { code: "feed_not_found" },
    );
    await expect(t.db.document.count({ where: { feedId } })).resolves.toBe(0);
    await expect(t.db.syncRun.count({ where: { feedId } })).resolves.toBe(0);
  });

  it("clamps a date cursor from the future to the time now and says so", async () => {
    const { push, feedRow } = await setUp({ watermark: "date" });
    const answer = await push({ cursor: "2999-01-01T00:00:00Z" });
    expect(answer.warnings.map((w) => w.code)).toContain("cursor_clamped");
    expect(Date.parse(answer.cursor ?? "")).toBeLessThanOrEqual(Date.now() + 1000);
    await expect(feedRow()).resolves.toMatchObject({ cursor: answer.cursor });
  });
});

describe("a key of a pusher's own", () => {
  it("does not decide identity: only an adapter's does", async () => {
    const { push, feedId } = await setUp();
    const documents = [
      { id: "a", key: "shared" },
      { id: "b", key: "shared" },
    ];
    await expect(push({ documents })).resolves.toMatchObject({ created: 2 });
    await expect(push({ documents, fromAdapter: true })).resolves.toMatchObject({
      created: 1,
      documentsSkipped: 1,
    });
    await expect(t.db.document.count({ where: { feedId } })).resolves.toBe(3);
  });
});

describe("F07: pushes that arrive with cursors 5, 9, 7", () => {
  it("leave the cursor at 9, and the push with 7 stores its items", async () => {
    const { push, feedRow } = await setUp();
    await push({ cursor: "5", documents: [{ id: "a" }] });
    await push({ cursor: "9", documents: [{ id: "b" }] });
    const answer = await push({ cursor: "7", documents: [{ id: "c" }] });
    expect(answer).toMatchObject({ created: 1, cursor: "9", cursorOutcome: "kept" });
    await expect(feedRow()).resolves.toMatchObject({ cursor: "9", documentCount: 3 });
  });
});

describe("a cursor that was kept", () => {
  it("says why: a token without the one before it is not behind anything", async () => {
    const { push } = await setUp({ watermark: "token", cursor: "t1" });
    const { cursorOutcome, warnings } = await push({ cursor: "t2" });
    expect(cursorOutcome).toBe("kept");
    expect(warnings).toEqual([{ code: "cursor_kept", message: expect.stringMatching(/cursorBefore/) }]);
    const ordered = await setUp({ watermark: "idSet", cursor: "9" });
    const answer = await ordered.push({ cursor: "7" });
    expect(answer.warnings[0]?.message).toMatch(/behind/);
  });
});

describe("F28: U+0000 everywhere", () => {
  it("cleans content, rejects a bad id alone and refuses a bad cursor whole", async () => {
    const { push, row, feedRow } = await setUp();
    const good = Array.from({ length: 47 }, (_, i) => ({ id: `ok-${i}`, text: "fine" }));
    const answer = await push({
      documents: [
        ...good,
        { id: "dirty", title: "a\0b", text: "c\0d\ud800", metadata: { "k\0": ["v\0", "\udfff"] } },
        { id: "bad\0id" },
        { id: "bad\ud800id" },
      ],
    });
    expect(answer).toMatchObject({ created: 48 });
    expect(answer.documentsRejected.map((r) => r.code)).toEqual([
      "external_id_invalid",
      "external_id_invalid",
    ]);
    await expect(row("dirty")).resolves.toMatchObject({
      title: "ab",
      text: "cd\ufffd",
      metadata: { k: ["v", "\ufffd"] },
    });
    await expect(push({ cursor: "a\0", documents: [{ id: "x" }] })).rejects.toMatchObject({
      code: "cursor_invalid",
    });
    await expect(push({ cursor: { high: "\0" }, documents: [{ id: "x" }] })).rejects.toMatchObject({
      code: "cursor_invalid",
    });
    await expect(feedRow()).resolves.toMatchObject({ documentCount: 48, cursor: null });
  });
});

describe("F30: very long ids, links and titles", () => {
  it("keeps two ids that share 3,000 characters apart, stores long links, and rejects ids past 8,192 bytes alone", async () => {
    const { push, row } = await setUp();
    const stem = "x".repeat(3000);
    const long = "t".repeat(100_000);
    const answer = await push({
      documents: [
        { id: `${stem}1`, url: `https://example.org/${long}`, title: long },
        { id: `${stem}2` },
        { id: "y".repeat(8192) },
        { id: "y".repeat(8193) },
        { id: "é".repeat(4097) },
        { id: "z".repeat(100_000) },
      ],
    });
    expect(answer.created).toBe(3);
    expect(answer.documentsRejected.map((r) => [r.index, r.code])).toEqual(
      [3, 4, 5].map((i) => [i, "external_id_too_long"]),
    );
    await expect(row(`${stem}1`)).resolves.toMatchObject({ title: long });
  });
});

describe("F32: numbers beyond 2^53", () => {
  it("keeps neighbouring big ids apart, orders them exactly and rejects what was rounded before we saw it", async () => {
    const { push, feedRow } = await setUp({ watermark: "idSet" });
    const answer = await push({
      cursor: "723389637071249411",
      documents: [
        { id: "723389637071249410" },
        { id: "723389637071249411" },
        { id: 42, version: 7 },
        { id: 723389637071249410 },
      ],
    });
    expect(answer.created).toBe(3);
    expect(answer.documentsRejected).toMatchObject([{ index: 3, code: "external_id_invalid" }]);
    await expect(push({ cursor: "723389637071249410" })).resolves.toMatchObject({ cursorOutcome: "kept" });
    await expect(push({ cursor: "1000000000000000000000" })).resolves.toMatchObject({
      cursorOutcome: "advanced",
    });
    await expect(feedRow()).resolves.toMatchObject({ cursor: "1000000000000000000000" });
  });
});

describe("F50: 20 parallel ingests of the same id", () => {
  it("all succeed and leave one document with the greatest version", async () => {
    const { push, row, feedId, feedRow } = await setUp();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        push({ documents: [{ id: "same", version: String(i + 1), text: `v${i + 1}` }] }),
      ),
    );
    expect(answers.every((a) => a.documentsRejected.length === 0)).toBe(true);
    await expect(row("same")).resolves.toMatchObject({ version: "20", text: "v20" });
    await expect(t.db.document.count({ where: { feedId } })).resolves.toBe(1);
    await expect(feedRow()).resolves.toMatchObject({ documentCount: 1 });
  });
});

describe("F37: a bad item in every batch", () => {
  it("is kept once with a count, while the others are stored and the cursor advances", async () => {
    const { push, feedId } = await setUp();
    for (const cursor of ["1", "2", "3"]) {
      await push({
        cursor,
        documents: [
          { id: "good", text: cursor },
          { id: "bad", date: "yesterday" },
        ],
      });
    }
    const rejections = await t.db.rejectedDocument.findMany({ where: { feedId } });
    expect(rejections).toMatchObject([
      { externalId: "bad", code: "date_invalid", occurrences: 3, payload: { id: "bad", date: "yesterday" } },
    ]);
  });
});

describe("a bad item", () => {
  it.each([
    ["document_invalid", "just text"],
    ["document_invalid", { id: "a", title: 5 }],
    ["document_invalid", { id: "a", format: "pdf" }],
    ["document_invalid", { id: "a", metadata: [] }],
    ["document_invalid", { id: "a", deleted: "yes" }],
    ["external_id_missing", { title: "no id" }],
    ["external_id_invalid", { id: { nested: true } }],
    ["version_invalid", { id: "a", version: "1.5" }],
    ["version_invalid", { id: "a", version: "9".repeat(39) }],
    ["version_invalid", { id: "a", version: 2 ** 60 }],
    ["text_too_large", { id: "a", text: "é".repeat(600_000) }],
    ["metadata_too_large", { id: "a", metadata: { k: "v".repeat(70_000) } }],
    ["date_invalid", { id: "a", date: "2026-02-30T00:00:00Z" }],
  ])("is rejected alone with %s", async (code, item) => {
    const { push } = await setUp();
    const answer = await push({ documents: [item, { id: "good" }] });
    expect(answer.created).toBe(1);
    expect(answer.documentsRejected).toMatchObject([{ index: 0, code }]);
  });

  it("may be nested twenty thousand levels deep without harm", async () => {
    const { push } = await setUp();
    let deep: unknown = "core";
    for (let i = 0; i < 20_000; i += 1) deep = [deep];
    const answer = await push({ documents: [{ id: "deep", metadata: { deep } }] });
    expect(answer.documentsRejected).toMatchObject([{ code: "document_invalid" }]);
  });
});
