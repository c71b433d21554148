import { beforeAll, describe, expect, it } from "vitest";
import { type Principal, SCOPES } from "@/server/access/principal";
import type { Caller } from "@/server/actor";
import { ingestDocuments } from "@/server/ingest/ingest-documents";
import { useDatabase } from "@/test/database";
import { createCaller, createFeed } from "@/test/factories";
import { answerExport } from "./answer-export";
import { csvLine } from "./csv";
import { exportCsv } from "./export-csv";

const t = useDatabase();
let caller: Caller;

beforeAll(async () => {
  caller = await createCaller(t.db);
});

const principal = (scopes: Principal["scopes"] = new Set(SCOPES)): Principal => ({
  caller,
  scopes,
  role: null,
  userId: null,
  tokenId: "tok_x",
});
const ask = (table: string, query = "", who: Principal | null = principal()) =>
  answerExport(t.db, table, new URLSearchParams(query), { principal: who, requestId: "req_1" });

describe("a line of CSV", () => {
  it("quotes what needs it and leaves numbers and nothing alone", () => {
    expect(csvLine(['say "hi"', "a,b", "two\nlines", -5, null, true, " x"])).toBe(
      '"say ""hi""","a,b","two\nlines",-5,,true," x"\r\n',
    );
  });

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", '"=1', "'=1"])(
    "keeps %j from being a formula",
    (text) => {
      const cell = csvLine([text]).trimEnd().replace(/^"/, "");
      expect(cell.startsWith("'")).toBe(true);
    },
  );
});

describe("an export", () => {
  it("has every row of the table's filters, over as many pages as it takes", async () => {
    const feed = await createFeed(t.db, caller);
    const other = await createFeed(t.db, caller);
    for (let page = 0; page < 9; page += 1) {
      const documents = Array.from({ length: 50 }, (_, i) => ({ id: `d${page}-${i}`, title: `=cmd ${i}` }));
      await ingestDocuments(t.db, caller, { feedId: feed.id, documents });
    }
    await ingestDocuments(t.db, caller, { feedId: other.id, documents: [{ id: "elsewhere" }] });
    const response = await ask("documents", `feedId=${feed.id}&q=`);
    expect(response.headers.get("content-disposition")).toMatch(/attachment; filename="tidemark-documents-/);
    const lines = (await response.text()).trimEnd().split("\r\n");
    expect(lines[0]).toMatch(/^\uFEFF?id,feedId,feed,/);
    expect(lines).toHaveLength(451);
    expect(new Set(lines).size).toBe(451);
    expect(lines[1]).toContain(",'=cmd ");
  });

  it("says where it was cut", async () => {
    const rows = Array.from({ length: 200 }, (_, i) => [i]);
    const stream = await exportCsv(
      t.db,
      caller,
      ["n"],
      async () => ({ items: rows, nextAfter: "more", prevBefore: null }),
      { maxRows: 300 },
    );
    const lines = (await new Response(stream).text()).trimEnd().split("\r\n");
    expect(lines).toHaveLength(302);
    expect(lines.at(-1)).toBe("Cut after 300 rows. Filter the list to export the rest.");
  });

  it("refuses strangers, missing scopes, unknown tables and senseless filters before it begins", async () => {
    expect((await ask("documents", "", null)).status).toBe(401);
    expect((await ask("documents", "", principal(new Set(["sources:read"])))).status).toBe(403);
    expect((await ask("tokens", "", principal(new Set(["sources:read"])))).status).toBe(403);
    expect((await ask("users")).status).toBe(404);
    expect((await ask("constructor")).status).toBe(404);
    const bad = await ask("feeds", "status=odd");
    expect(bad.status).toBe(422);
    expect(await bad.json()).toMatchObject({ code: "invalid_request", errors: [{ path: "status" }] });
  });

  it("refuses a filter that it does not know, and a token in its address", async () => {
    for (const table of ["feeds", "opml"]) {
      const misspelt = await ask(table, "stauts=failing");
      expect(misspelt.status, table).toBe(422);
      expect(await misspelt.json()).toMatchObject({
        errors: [{ path: "stauts", code: "unknown_parameter" }],
      });
    }
    expect((await ask("feeds", "token=x")).status).toBe(401);
  });

  it.each(["sources", "feeds", "runs", "rejections", "tokens"])("knows the table of %s", async (table) => {
    const response = await ask(table);
    expect(response.status).toBe(200);
    expect((await response.text()).length).toBeGreaterThan(20);
  });
});
