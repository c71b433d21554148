import pg from "pg";
import { expect, vi } from "vitest";

/** Somebody who holds rows, so that whoever wants to write them waits in mid-transaction. */
export type RowBlock = {
  /** Resolves when so many other sessions wait for a lock, one unless said otherwise. */
  waitedFor(sessions?: number): Promise<void>;
  /** Ends every session that waits, as the end of its process would. @returns how many. */
  killWaiting(): Promise<number>;
  release(): Promise<void>;
};

export function blockDocument(url: string, documentId: string): Promise<RowBlock> {
  return blockRows(url, "SELECT 1 FROM documents WHERE id = $1 FOR UPDATE", [documentId]);
}

/** @param query locks the rows, at least one. */
export async function blockRows(url: string, query: string, values: unknown[]): Promise<RowBlock> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("BEGIN");
  const { rowCount } = await client.query(query, values);
  expect(rowCount).toBeGreaterThan(0);
  const watcher = new pg.Client({ connectionString: url });
  await watcher.connect();
  const WAITING = `FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()`;
  return {
    async waitedFor(sessions = 1) {
      await vi.waitFor(
        async () => {
          const { rows } = await watcher.query(`SELECT 1 ${WAITING}`);
          expect(rows.length).toBeGreaterThanOrEqual(sessions);
        },
        { timeout: 10_000, interval: 10 },
      );
    },
    async killWaiting() {
      const { rowCount: killed } = await watcher.query(`SELECT pg_terminate_backend(pid) ${WAITING}`);
      return killed ?? 0;
    },
    async release() {
      await client.end();
      await watcher.end();
    },
  };
}
