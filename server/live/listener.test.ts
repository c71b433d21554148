import { expect, it, vi } from "vitest";
import { useDatabase } from "@/test/database";
import { waitUntil } from "@/test/wait-until";
import { createListener } from "./listener";

const t = useDatabase();

const sessions = () =>
  t.db.$queryRaw<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity
     WHERE application_name = 'tidemark-live' AND datname = current_database() AND query LIKE 'LISTEN%'`;

it("leaves nothing behind of the connections that it lost", async () => {
  let open = 0;
  const add = vi.spyOn(EventTarget.prototype, "addEventListener");
  const remove = vi.spyOn(EventTarget.prototype, "removeEventListener");
  const left = () => {
    const count = (calls: unknown[][]) => calls.filter(([type]) => type === "abort").length;
    return count(add.mock.calls) - count(remove.mock.calls);
  };
  const listener = createListener(t.url, ["a_channel"], { onMessage: () => {}, onGap: () => (open += 1) });
  for (let lost = 0; lost < 3; lost += 1) {
    await waitUntil(async () => (await sessions()).length === 1, "it listens");
    const gaps = open;
    await t.db.$queryRaw`
      SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity
       WHERE application_name = 'tidemark-live' AND datname = current_database()`;
    await waitUntil(() => open > gaps, "it noticed");
  }
  await waitUntil(async () => (await sessions()).length === 1, "it listens again");
  expect(left()).toBe(1);
  await listener.end();
  vi.restoreAllMocks();
});
