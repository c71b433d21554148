import { describe, expect, it } from "vitest";
import { MAX_ROWS, NO_ROWS, type TailRow, type TailRows, tailReducer } from "./tail-rows";

const row = (seq: number, more: Partial<TailRow> = {}): TailRow => ({
  seq: String(seq),
  op: "upsert",
  documentId: `doc_${seq}`,
  externalId: `d-${seq}`,
  title: null,
  version: null,
  feedId: "feed_a",
  feedName: "Tides",
  sourceName: "Harbour",
  changedAt: "2026-06-14T09:00:00.000Z",
  ...more,
});
const seqs = ({ rows }: TailRows) => rows.map(({ seq }) => Number(seq));
const came = (state: TailRows, ...list: number[]) =>
  tailReducer(state, { type: "came", rows: list.map((seq) => row(seq)) });

describe("the tail", () => {
  it("shows each change once, the latest first, by number and not by text", () => {
    let state = came(NO_ROWS, 9, 10);
    state = tailReducer(state, { type: "before", rows: [row(10), row(8)] });
    state = came(state, 10, 100);
    expect(seqs(state)).toEqual([100, 10, 9, 8]);
    expect(state.came, "what was there before did not come").toBe(3);
  });

  it("keeps a bounded number of rows, whatever comes", () => {
    let state = NO_ROWS;
    for (let seq = 1; seq <= MAX_ROWS * 3; seq += 1) state = came(state, seq);
    expect(state.rows).toHaveLength(MAX_ROWS);
    expect(seqs(state)[0]).toBe(MAX_ROWS * 3);
    state = tailReducer(state, { type: "pause" });
    for (let seq = 1000; seq < 1000 + MAX_ROWS * 3; seq += 1) state = came(state, seq);
    expect(state.held).toHaveLength(MAX_ROWS);
    expect(state.heldCount).toBe(MAX_ROWS * 3);
  });

  it("takes what was asked for while the connection is lost, each once, and holds it when paused", () => {
    let state = tailReducer(came(NO_ROWS, 5), { type: "pause" });
    state = tailReducer(state, { type: "before", rows: [row(7), row(5)] });
    state = came(state, 7);
    expect(seqs(state)).toEqual([5]);
    expect(state).toMatchObject({ heldCount: 1, came: 1 });
    for (let seq = 10; seq < 10 + MAX_ROWS; seq += 1) state = came(state, seq);
    state = tailReducer(state, { type: "resume" });
    state = tailReducer(tailReducer(state, { type: "pause" }), { type: "before", rows: [row(5)] });
    expect(state.heldCount, "it was let go before").toBe(0);
  });

  it("stands still while it is paused, and shows what came meanwhile when it goes on", () => {
    let state = tailReducer(came(NO_ROWS, 1), { type: "pause" });
    state = came(came(state, 2), 2, 3);
    expect(seqs(state)).toEqual([1]);
    expect(state.heldCount).toBe(2);
    state = tailReducer(state, { type: "resume" });
    expect(seqs(state)).toEqual([3, 2, 1]);
    expect(state).toMatchObject({ isPaused: false, held: [], heldCount: 0, came: 3 });
  });
});
