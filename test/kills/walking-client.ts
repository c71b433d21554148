import { setTimeout as delay } from "node:timers/promises";
import { expectStatus, type RestClient, textOf } from "./rest-client";

const PAGE = 10;
const PAGES_PER_RUN = 8;

export type WalkingClient = {
  /** Title by id of everything it was told to be stored. */
  truth(): Map<string, string>;
  /** Times it had to find its place again after a failure. */
  resumed(): number;
  /** Late pushes of dead runs, each refused. */
  fenced(): number;
};

/**
 * A client that walks from old to new, sends the cursor with each page and keeps nothing of its own: after
 * a failure it asks the feed where to go on. Its runs die with the failure; it then tries a late push in
 * the dead run's name.
 *
 * @returns when `signal` is aborted and the last page was acknowledged.
 * @throws when the feed's cursor is anything but the last page acknowledged or the one under way, or when
 *   a late push is taken.
 */
export async function walk(
  rest: RestClient,
  feedId: string,
  signal: AbortSignal,
  client: { stats?: WalkingClient },
) {
  let acknowledged = 0; // pages
  let resumed = 0;
  let fenced = 0;
  client.stats = { truth: () => truthOf(acknowledged), resumed: () => resumed, fenced: () => fenced };

  let page = 0;
  while (!signal.aborted) {
    const runId = await startRun(rest, feedId);
    const alive = await pushPages(runId);
    if (alive) continue;
    resumed += 1;
    page = await findPlace();
    await pushLate(runId);
  }

  /** @returns false when the connection or the server broke. */
  async function pushPages(runId: string): Promise<boolean> {
    try {
      for (let count = 0; count < PAGES_PER_RUN && !signal.aborted; count++) {
        const answer = await rest.send("POST", `/api/v1/feeds/${feedId}/documents`, pageBody(page, runId));
        if (answer.status >= 500) return false;
        // Everything stood still for longer than the lease, as a dead server makes it.
        if (answer.status === 409 && answer.body.code === "run_fenced") return false;
        const { cursor } = expectStatus(answer, 200);
        page += 1;
        acknowledged = page;
        if (cursor !== String(page * PAGE))
          throw new Unexpected(`the feed is at ${cursor}, sent was page ${page}`);
      }
      const end = await rest.send("POST", `/api/v1/runs/${runId}/finish`, { status: "succeeded" });
      return end.status < 500;
    } catch (error) {
      if (error instanceof Unexpected || !isConnectionFailure(error)) throw error;
      return false;
    }
  }

  async function findPlace(): Promise<number> {
    const { cursor } = expectStatus(await rest.insist("GET", `/api/v1/feeds/${feedId}`), 200);
    const stored = Number(cursor ?? 0) / PAGE;
    if (stored !== acknowledged && stored !== acknowledged + 1) {
      throw new Unexpected(`page ${acknowledged} was acknowledged, but the feed stands at page ${stored}`);
    }
    acknowledged = stored;
    return stored;
  }

  async function pushLate(deadRunId: string): Promise<void> {
    // Alive until its lease is over: wait for its end as its executor would not.
    for (;;) {
      const { status } = expectStatus(await rest.insist("GET", `/api/v1/runs/${deadRunId}`), 200);
      if (status !== "running") break;
      const fresh = await rest.insist("POST", `/api/v1/feeds/${feedId}/runs`, {});
      if (fresh.status === 201) {
        await rest.insist("POST", `/api/v1/runs/${textOf(fresh.body.runId)}/finish`, { status: "cancelled" });
        break;
      }
      await delay(100);
    }
    const late = { runId: deadRunId, documents: [{ id: "late", title: "too late" }] };
    const answer = await rest.insist("POST", `/api/v1/feeds/${feedId}/documents`, late);
    if (answer.status !== 409 || answer.body.code !== "run_fenced") {
      throw new Unexpected(`a dead run's push was answered ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    fenced += 1;
  }
}

class Unexpected extends Error {}

/** A start whose answer was lost leaves a run behind that nobody knows; its lease ends it. */
async function startRun(rest: RestClient, feedId: string): Promise<string> {
  for (;;) {
    const answer = await rest.insist("POST", `/api/v1/feeds/${feedId}/runs`, {});
    if (answer.status === 201) return textOf(answer.body.runId);
    if (answer.status !== 409)
      throw new Unexpected(`starting a run: ${answer.status} ${JSON.stringify(answer.body)}`);
    await delay(100);
  }
}

function pageBody(page: number, runId: string) {
  return {
    runId,
    cursor: String((page + 1) * PAGE),
    cursorBefore: page === 0 ? null : String(page * PAGE),
    documents: idsOf(page).map((id) => ({ id, title: `Step ${id}`, text: `Walked over ${id}.` })),
  };
}

function idsOf(page: number): string[] {
  return Array.from({ length: PAGE }, (_, index) => String(page * PAGE + index + 1));
}

function truthOf(pages: number): Map<string, string> {
  return new Map(
    Array.from({ length: pages }, (_, page) => idsOf(page))
      .flat()
      .map((id) => [id, `Step ${id}`]),
  );
}

function isConnectionFailure(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    (error instanceof Error && /abort|timeout|terminated|JSON/i.test(`${error.name} ${error.message}`))
  );
}
