import { expect, it } from "vitest";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { changeJson, seqOf } from "./change-json";
import { parsePage } from "./pull-changes";
import { beginWalk, pageBody, readChanges } from "./read-changes";

const t = useDatabase();

const ODD =
  'quo"te \\ back\\slash, \n\r\t\b\f\u0001\u001f\u007f \u2028\u2029 Zoë 🜄 </script> {"seq":"1"},\n{"seq":"2"';

it("writes whatever was stored as JSON that reads back the same", async () => {
  const caller = await createCaller(t.db);
  const { id: feedId, sourceId } = await createFeed(t.db, caller);
  const document = {
    title: ODD,
    url: ODD,
    author: ODD,
    text: ODD,
    metadata: { [ODD]: [ODD, 1.5, null, { a: true }] },
  };
  await ingestDocuments(t.db, caller, {
    feedId,
    documents: [
      { id: ODD, version: "1", date: "0044-03-15T01:02:03.9999Z", ...document },
      { id: "bare", version: "7" },
    ],
  });
  await ingestDocuments(t.db, caller, { feedId, documents: [{ id: "gone", version: "9" }] });
  const begun = beginWalk(caller, { limit: 10, text: true });
  const place = {
    ...begun,
    place: { at: "cursor", seq: 0n, snapshotBound: null, isOfEpoch: () => true },
  } as const;
  await ingestDocuments(t.db, caller, { feedId, documents: [{ id: "gone", version: "10", deleted: true }] });

  const page = await readChanges(t.db, place);
  const { changes } = parsePage(pageBody(place, page));
  const common = {
    sourceId,
    feedId,
    changedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  };
  const nothing = { title: null, url: null, author: null, date: null, metadata: {}, text: null };
  expect(changes).toMatchObject([
    {
      ...common,
      op: "upsert",
      externalId: ODD,
      version: "1",
      document: { ...document, date: "0044-03-15T01:02:03.999Z" },
    },
    { ...common, op: "upsert", externalId: "bare", version: "7", document: nothing },
    { ...common, op: "delete", externalId: "gone", version: "10", document: null },
  ]);
  expect(page.rows.map((row) => JSON.parse(changeJson(row, true)))).toEqual(changes);
  expect(page.rows.map((row) => String(seqOf(row)))).toEqual(changes.map(({ seq }) => seq));
});
