import { expect, it } from "vitest";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { createDb } from "./db";

const t = useDatabase();

it("reads and writes the same instants whatever the server's own time zone is", async () => {
  const name = new URL(t.url).pathname.slice(1);
  await t.db.$executeRawUnsafe(`ALTER DATABASE ${name} SET timezone TO 'Asia/Kathmandu'`);
  const db = createDb(t.url, 2);
  try {
    const { workspaceId } = await createCaller(db);
    const until = new Date("2026-06-14T09:00:00.123Z");
    await db.hostCooldown.create({ data: { workspaceId, host: "h", credentialKey: "", until, reason: "x" } });
    const [row] = await db.$queryRaw<{ until: Date; text: string }[]>`
      SELECT until, to_char(until AT TIME ZONE 'UTC', 'HH24:MI:SS.MS') AS text FROM host_cooldowns`;
    expect(row).toEqual({ until, text: "09:00:00.123" });
  } finally {
    await db.$disconnect();
  }
});
