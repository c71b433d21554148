import type { AdapterDocument, Page } from "@/sdk/adapter";
import { emptyMemory, runSync, type SyncSetup } from "../testing/run-sync";
import { startUpstream } from "../testing/upstream";
import { createSubstack } from ".";
import { COOKIE, type FakePost, fakeFetch, fakePublication } from "./fake-publication";

/** When these tests take place. */
export const NOW = new Date("2026-06-01T00:00:00Z");

/** A publication on loopback, the adapter with a clock that never waits, and its memory. */
export async function followFake(posts: FakePost[], more: Partial<SyncSetup> = {}) {
  const publication = fakePublication(posts);
  const { origin } = await startUpstream(publication.handle);
  const waits: number[] = [];
  const adapter = createSubstack(async (ms) => void waits.push(ms));
  const memory = emptyMemory();
  const clock = { now: NOW };
  const sync = (again: Partial<SyncSetup> = {}) =>
    runSync(
      adapter,
      { fetch: fakeFetch, feed: { url: origin }, now: () => clock.now, ...more, ...again },
      memory,
    );
  return { publication, origin, waits, memory, clock, sync };
}

/** Ids in the order they were handed over. */
export const sentIds = (pages: Page[]) => pages.flatMap((page) => page.documents.map(({ id }) => id));
export const textOf = (memory: { documents: Map<string, AdapterDocument> }, id: string) =>
  memory.documents.get(id)?.text;
/** Credentials that open paid posts. */
export const reader = { type: "bearer" as const, token: COOKIE };
