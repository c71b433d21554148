import type { IngestAnswer, Rejection } from "../wire.ts";
import type { EncodedDocument } from "./encode-document.ts";
import type { PushSummary } from "./options.ts";

/** Adds the answers of a push up. */
export class Tally {
  readonly summary: PushSummary = {
    documentsIndexed: 0,
    documentsSkipped: 0,
    documentsDeleted: 0,
    created: 0,
    updated: 0,
    documentsRejected: [],
    cursor: null,
    cursorOutcome: "unchanged",
    conflict: false,
    warnings: [],
    runId: "",
    calls: 0,
    restarts: 0,
  };

  /** @param documents What the call carried: the answer counts from 0, the caller does not. */
  add(answer: IngestAnswer, documents: EncodedDocument[], carriedCursor: boolean): void {
    const { summary } = this;
    summary.calls += 1;
    summary.documentsIndexed += answer.documentsIndexed;
    summary.documentsSkipped += answer.documentsSkipped;
    summary.documentsDeleted += answer.documentsDeleted;
    summary.created += answer.created;
    summary.updated += answer.updated;
    this.reject(
      answer.documentsRejected.map((item) => ({
        ...item,
        index: documents[item.index]?.index ?? item.index,
      })),
    );
    summary.cursor = answer.cursor;
    summary.runId = answer.runId;
    if (carriedCursor) {
      summary.cursorOutcome = answer.cursorOutcome;
      summary.conflict = answer.conflict;
    }
    for (const warning of answer.warnings) {
      const isKnown = summary.warnings.some(
        ({ code, message }) => code === warning.code && message === warning.message,
      );
      if (!isKnown) summary.warnings.push(warning);
    }
  }

  reject(items: Rejection[]): void {
    const pass = this.summary.restarts;
    for (const item of items) this.summary.documentsRejected.push({ ...item, pass });
  }
}
