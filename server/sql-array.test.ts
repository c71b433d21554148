import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { useDatabase } from "@/test/database";
import { SqlArray } from "./sql-array";

const t = useDatabase();
let client: pg.Client;

beforeAll(async () => {
  client = new pg.Client({ connectionString: t.url });
  await client.connect();
});
afterAll(() => client.end());

const texts = [
  "",
  "plain",
  null,
  'quo"te',
  "back\\slash",
  "{a,b}",
  "NULL",
  "Zoë 🜄 日本語",
  "\t\n",
  "é".repeat(300),
];
const bytes = [Buffer.from([0, 1, 255]), null, Buffer.alloc(0)];

it.each([
  ["binary", (array: SqlArray) => array],
  ["text", (array: SqlArray) => array.toLiteral()],
])("carries texts, bytes and nulls to the database in %s", async (_, send) => {
  const { rows } = await client.query("SELECT $1::text[] AS texts, $2::bytea[] AS bytes", [
    send(new SqlArray("text", texts)),
    send(new SqlArray("bytea", bytes)),
  ]);
  expect(rows[0].texts).toEqual(texts);
  expect(rows[0].bytes).toEqual(bytes);
});

it("is null when there is nothing in it, which costs nothing to send", async () => {
  const { rows } = await client.query("SELECT $1::text[] AS nothing", [new SqlArray("text", [null, null])]);
  expect(rows[0].nothing).toBeNull();
  expect(new SqlArray("text", []).toLiteral()).toBeNull();
});
