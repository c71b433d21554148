import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { Client } from "undici";
import type { BenchDocument } from "./documents";

const DATABASE = "/bench";

export type Peer = {
  pid: number;
  /** Stores one prepared batch by `_bulk_docs`, on the connection of that number. */
  store(connection: number, body: Buffer): Promise<void>;
  /** One page of `_changes` with documents. @returns how many, and where the next begins. */
  pull(since: string, limit: number): Promise<{ count: number; next: string; hasMore: boolean }>;
  end(): Promise<void>;
};

/** A PouchDB server with an empty database, in a process of its own as ours is. */
export async function startPouchdb(directory: string, connections: number): Promise<Peer> {
  const data = join(directory, "pouchdb");
  await mkdir(data);
  const child = spawn(process.execPath, [join(import.meta.dirname, "pouchdb-server.mjs"), data], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const exited = once(child, "exit");
  const [port] = await once(child.stdout as Readable, "data");
  const clients = Array.from({ length: connections }, () => new Client(`http://127.0.0.1:${Number(port)}`));

  async function ask(connection: number, method: "GET" | "POST" | "PUT", path: string, body?: Buffer) {
    const client = clients[connection] as Client;
    const headers = { "content-type": "application/json" };
    const response = await client.request({ method, path: DATABASE + path, headers, body });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`PouchDB answered ${response.statusCode}: ${text}`);
    return text;
  }
  await ask(0, "PUT", "");

  return {
    pid: child.pid as number,
    async store(connection, body) {
      const answers = JSON.parse(await ask(connection, "POST", "/_bulk_docs", body)) as { error?: unknown }[];
      if (answers.some((answer) => answer.error)) throw new Error("PouchDB refused a document");
    },
    async pull(since, limit) {
      const path = `/_changes?include_docs=true&limit=${limit}&since=${since}`;
      const page = JSON.parse(await ask(0, "GET", path)) as { results: unknown[]; last_seq: number };
      return {
        count: page.results.length,
        next: String(page.last_seq),
        hasMore: page.results.length === limit,
      };
    },
    async end() {
      await Promise.all(clients.map((client) => client.close()));
      child.disconnect();
      await exited;
    },
  };
}

/** The same documents as PouchDB names them; an underscore may not begin an id there. */
export function toBulkDocs(documents: BenchDocument[]): Buffer {
  return Buffer.from(
    JSON.stringify({ docs: documents.map(({ id, ...fields }) => ({ _id: `d${id}`, ...fields })) }),
  );
}
