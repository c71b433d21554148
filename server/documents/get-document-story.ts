import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { readRunNames } from "@/server/runs/read-run-names";
import { type ApiRun, toRun } from "@/server/runs/run-shape";
import type { ApiDocumentWithText } from "./document-shape";
import { getDocument } from "./get-document";

/** A document as its page shows it. */
export type DocumentStory = ApiDocumentWithText & {
  feedName: string | null;
  sourceName: string | null;
  /** The run that wrote this state; null for one that was folded, expired or had no run. */
  lastRun: ApiRun | null;
  /** What that run did to the feed's cursor, in order; at most five. */
  transitions: DocumentTransition[];
};

export type DocumentTransition = {
  id: string;
  from: string | null;
  to: string | null;
  outcome: string;
  conflict: boolean;
  at: string;
};

const MAX_TRANSITIONS = 5;

/** @throws AppError not_found, as getDocument. */
export async function getDocumentStory(
  db: Db,
  caller: Caller,
  input: { documentId: string },
): Promise<DocumentStory> {
  const { workspaceId } = caller;
  const document = await getDocument(db, caller, input);
  const { lastRunId } = document;
  const [namesOf, run, transitions] = await Promise.all([
    readRunNames(db, workspaceId, [document]),
    lastRunId ? db.syncRun.findUnique({ where: { workspaceId_id: { workspaceId, id: lastRunId } } }) : null,
    lastRunId
      ? db.cursorTransition.findMany({
          where: { workspaceId, runId: lastRunId },
          orderBy: { id: "asc" },
          take: MAX_TRANSITIONS,
        })
      : [],
  ]);
  const names = namesOf(document);
  return {
    ...document,
    ...names,
    lastRun: run && toRun(run, names),
    transitions: transitions.map(({ id, from, to, outcome, conflict, at }) => ({
      id,
      from,
      to,
      outcome,
      conflict,
      at: at.toISOString(),
    })),
  };
}
