import { describe, expect, it } from "vitest";
import { answering } from "../testing/answers.ts";
import { numbered, useFeed } from "../testing/push-fake.ts";
import type { PushDocument } from "../wire.ts";
import type { PushOptions } from "./options.ts";

const t = useFeed();

describe("slices", () => {
  it("51 documents are two calls, and only the last moves the cursor", async () => {
    const summary = await t.push({ documents: numbered(1, 51), cursor: "51", cursorBefore: null });
    expect(t.calls()).toEqual([
      [50, undefined, undefined],
      [1, "51", null],
    ]);
    expect(summary).toMatchObject({
      created: 51,
      documentsIndexed: 51,
      cursor: "51",
      cursorOutcome: "advanced",
    });
    expect(summary).toMatchObject({ calls: 2, restarts: 0, conflict: false, runId: "run_1" });
  });

  it("50 are one call, and none at all is one too: a cursor may move alone", async () => {
    await t.push({ documents: numbered(1, 50), cursor: "50" });
    await t.push({ documents: [], cursor: "60" });
    expect(t.calls()).toEqual([
      [50, "50", undefined],
      [0, "60", undefined],
    ]);
  });

  it("9 MiB go in as many calls as it takes, counted in bytes of UTF-8", async () => {
    // Three bytes a letter: a count of characters would take all nine for less than 8 MiB.
    const text = "潮".repeat(349_000);
    const documents = Array.from({ length: 9 }, (_, i) => ({ id: `d-${i}`, text }));
    expect(await t.push({ documents, cursor: "9" })).toMatchObject({ created: 9, calls: 2 });
    expect(Math.max(...t.server.requests.map(({ bytes }) => bytes))).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(t.calls()).toEqual([
      [7, undefined, undefined],
      [2, "9", undefined],
    ]);
  });

  it("any iterable is read as it goes, asynchronous ones too", async () => {
    async function* produce() {
      for (const document of numbered(1, 120)) {
        // Never more than one call ahead of what was sent.
        expect(Number(String(document.id).slice(2)) - t.feed.documents.size).toBeLessThanOrEqual(51);
        yield document;
      }
    }
    expect(await t.push({ documents: produce() })).toMatchObject({ created: 120, calls: 3 });
    expect(await t.push({ documents: new Set(numbered(100, 130)) })).toMatchObject({
      created: 10,
      documentsSkipped: 21,
    });
    expect([...t.feed.documents.keys()]).toEqual(numbered(1, 130).map(({ id }) => id));
  });

  it("carry the run and the source with each call, and a big integer as its digits", async () => {
    const documents = [{ id: 723389637071249411n, date: new Date(0) }, ...numbered(1, 50)];
    await t.push({ documents, runId: "run_9", sourceId: "src_1" });
    expect(t.feed.calls).toMatchObject([
      { runId: "run_9", sourceId: "src_1" },
      { runId: "run_9", sourceId: "src_1" },
    ]);
    expect(t.feed.calls[0]?.documents[0]).toEqual({
      id: "723389637071249411",
      date: "1970-01-01T00:00:00.000Z",
    });
  });

  it("shrink when something in between takes less than the server does", async () => {
    const documents = numbered(1, 8).map((document) => ({ ...document, text: "x".repeat(250_000) }));
    documents[5] = { id: "d-6", text: "y".repeat(1_100_000) };
    const small = answering(413, "text/html", "<h1>413</h1>");
    const isSmall: typeof small = (request, response) =>
      Number(request.headers["content-length"]) > 1_048_576 ? small(request, response) : (false as true);
    for (let i = 0; i < 20; i++) t.server.faults.push(isSmall);
    const summary = await t.push({ documents, cursor: "8", cursorBefore: null });
    expect(summary).toMatchObject({
      created: 7,
      cursor: "8",
      documentsRejected: [{ index: 5, id: "d-6", code: "document_too_large" }],
    });
    expect(t.calls().filter(([, cursor]) => cursor !== undefined)).toEqual([[2, "8", null]]);
  });
});

describe("items that cannot be stored", () => {
  it("are reported with their place among all documents, and the others are stored", async () => {
    const documents: unknown[] = numbered(0, 103);
    documents[3] = null;
    documents[70] = { title: "no id" };
    const circle: Record<string, unknown> = { id: "circle" };
    circle.metadata = circle;
    documents[80] = circle;
    documents[81] = { id: "huge", text: "x".repeat(9 * 1024 * 1024) };
    documents[82] = () => {};
    const summary = await t.push({ documents: documents as PushDocument[], cursor: "7" });
    expect(summary).toMatchObject({ created: 99, cursor: "7", cursorOutcome: "advanced" });
    expect(summary.documentsRejected.map(({ index, id, code }) => [index, id, code])).toEqual([
      [3, null, "external_id_missing"],
      [80, "circle", "document_invalid"],
      [81, "huge", "document_too_large"],
      [82, null, "document_invalid"],
      [70, null, "external_id_missing"],
    ]);
    expect(summary.documentsRejected[2]?.message).toMatch(/its JSON alone has 94\d{5} bytes/);
  });
});

it.each([
  [{ feedId: "" }, /`feedId`/],
  [{ documents: undefined }, /`documents`/],
  [{ documents: "text" }, /`documents`/],
])("options that make no sense are named: %j", async (option, message) => {
  const options = { documents: [], ...option } as unknown as PushOptions;
  await expect(t.push(options)).rejects.toMatchObject({
    code: "invalid_option",
    message: expect.stringMatching(message),
  });
});
