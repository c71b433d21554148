import { DatabaseSync } from "@photostructure/sqlite"; // On Node 22.13 or newer the same is in "node:sqlite".
import type { Change, Step } from "@tidemark/client";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS documents (
    id          TEXT PRIMARY KEY,
    feed_id     TEXT NOT NULL,
    source_id   TEXT NOT NULL,
    external_id TEXT NOT NULL,
    version     TEXT,
    title       TEXT,
    url         TEXT,
    author      TEXT,
    date        TEXT,
    metadata    TEXT NOT NULL,
    text        TEXT,
    changed_at  TEXT NOT NULL,
    -- The walk that brought the row last; what a complete walk did not bring is gone from the workspace.
    generation  TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS documents_by_generation ON documents (generation);
  -- One row: how far the mirror got. It changes in the same transaction as the documents.
  CREATE TABLE IF NOT EXISTS follower (only INTEGER PRIMARY KEY CHECK (only = 1), position TEXT NOT NULL);
`;

/** A workspace's documents in a SQLite file, and the position that they are at. */
export class MirrorStore {
  readonly #db: InstanceType<typeof DatabaseSync>;

  constructor(path: string) {
    this.#db = new DatabaseSync(path);
    // Readers see the last whole batch while the next one is written.
    this.#db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    this.#db.exec(SCHEMA);
  }

  load(): string | null {
    const row = this.#db.prepare("SELECT position FROM follower").get();
    return row ? String(row.position) : null;
  }

  /** The batch, the sweep and the position: all of it or nothing, whenever the process dies. */
  readonly apply = (changes: Change[], step: Step): void => {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      for (const change of changes) this.#applyChange(change, step.generation);
      if (step.sweep) this.#db.prepare("DELETE FROM documents WHERE generation <> ?").run(step.generation);
      this.#db
        .prepare("INSERT INTO follower VALUES (1, ?) ON CONFLICT DO UPDATE SET position = excluded.position")
        .run(step.position);
      this.#db.exec("COMMIT");
    } catch (error) {
      this.#db.exec("ROLLBACK");
      throw error;
    }
  };

  #applyChange(change: Change, generation: string): void {
    if (change.op === "delete") {
      this.#db.prepare("DELETE FROM documents WHERE id = ?").run(change.documentId);
      return;
    }
    const { title, url, author, date, metadata, text = null } = change.document;
    // Replaced whatever its version was: after the server's log was rewound, what it says now is true.
    this.#db
      .prepare("INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .run(
        change.documentId,
        change.feedId,
        change.sourceId,
        change.externalId,
        change.version,
        title,
        url,
        author,
        date,
        JSON.stringify(metadata),
        text,
        change.changedAt,
        generation,
      );
  }

  close(): void {
    this.#db.close();
  }
}
