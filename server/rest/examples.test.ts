import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { workerFor } from "@/server/jobs/worker";
import { useDatabase } from "@/test/database";
import { type ExampleWorkspace, makeExampleWorkspace, type NextIds } from "@/test/example-workspace";
import { type ApiDescription, readApiDescription } from "@/test/openapi-check";
import { RestClient } from "@/test/rest-client";
import { steadyAnswer } from "@/test/steady-answer";
import { createRestApp, routes } from "./app";
import type { Route } from "./define-route";
import { nameOf } from "./describe-api";
import { notes } from "./reference/all-notes";
import recorded from "./reference/answers.json";
import { EXAMPLE_IDS, type Example } from "./reference/notes";

// Read at the first env(): the upstream and the receiver of these tests are this very machine.
process.env.TIDEMARK_ALLOW_PRIVATE_NETWORKS = "127.0.0.0/8";

const nextIds = vi.hoisted(() => new Map() as NextIds);
vi.mock("@/server/ids", async (original) => {
  const real = await original<typeof import("@/server/ids")>();
  return {
    ...real,
    newId: (prefix: Parameters<typeof real.newId>[0]) => nextIds.get(prefix)?.shift() ?? real.newId(prefix),
  };
});

/** `RECORD_EXAMPLES=1 npx vitest run server/rest/examples` writes reference/answers.json anew. */
const isRecording = process.env.RECORD_EXAMPLES === "1";
const answers: Record<string, unknown> = isRecording ? {} : recorded;

const t = useDatabase();
const upstream = createServer((request, response) => {
  if (request.method === "POST") response.writeHead(204).end();
  else
    response.end(
      `<rss version="2.0"><channel><title>Tides</title><link>/</link><description/></channel></rss>`,
    );
});
let origin: string;
let description: ApiDescription;

beforeAll(async () => {
  await new Promise<void>((listening) => upstream.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  description = readApiDescription((await new RestClient(t.db, null).get("/openapi.json")).body);
});
afterAll(async () => {
  await workerFor(t.db).stop();
  upstream.closeAllConnections();
  await new Promise((closed) => upstream.close(closed));
  if (!isRecording) return;
  const path = join(import.meta.dirname, "reference/answers.json");
  const sorted = Object.fromEntries(routes.map(nameOf).map((name) => [name, answers[name] ?? null]));
  await writeFile(path, `${JSON.stringify(sorted, null, 2)}\n`);
});

async function send(route: Route, example: Example, { api }: ExampleWorkspace) {
  const params: Record<string, string> = { ...EXAMPLE_IDS, ...example.params };
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const query = example.query ? `?${new URLSearchParams(example.query)}` : "";
  if (route.path === "/changes/stream") return readStream(path + query, api);
  return api.request(route.method.toUpperCase(), path + query, { body: example.body });
}

/** Its first change; it would go on for ever. */
async function readStream(path: string, api: RestClient) {
  const response = await createRestApp(() => t.db).request(`/api/v1${path}`, {
    headers: { authorization: `Bearer ${api.token}` },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (reader && (text.match(/^event: change$/gm) ?? []).length < 1) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the stream ended: ${response.status} ${text}`);
    text += value;
  }
  await reader?.cancel();
  return {
    status: response.status,
    headers: response.headers,
    body: text.slice(0, text.lastIndexOf("\n\n") + 2),
  };
}

describe("the example of", () => {
  for (const route of routes) {
    it(`${nameOf(route)} answers as openapi.json shows it`, async () => {
      const note = notes[nameOf(route)];
      if (!note) throw new Error(`${nameOf(route)} has no example: add it to server/rest/reference`);
      const workspace = await makeExampleWorkspace(t.db, nextIds, origin, note.example.given);
      const { status, headers, body } = await send(route, note.example, workspace);
      expect(status, JSON.stringify(body)).toBe(note.example.status);
      description.expectAnswer(route, { status, headers, body });
      expect(headers.get("x-request-id")).toBeTruthy();
      const steady = status === 204 ? null : steadyAnswer(body, origin);
      if (isRecording) answers[nameOf(route)] = steady;
      expect(steady).toEqual(answers[nameOf(route)]);
      if (status !== 204) description.expectAnswer(route, { status, headers, body: steady });
    });
  }
});

it("has no example of an operation that does not exist", () => {
  expect(Object.keys(notes).sort()).toEqual(routes.map(nameOf).sort());
  expect(Object.keys(answers).sort()).toEqual(routes.map(nameOf).sort());
});
