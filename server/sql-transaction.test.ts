import { describe, expect, it } from "vitest";
import { createDb } from "@/server/db";
import { useDatabase } from "@/test/database";
import { createCaller } from "@/test/factories";
import { inSqlTransaction, type SqlTx } from "./sql-transaction";

const t = useDatabase();

async function twoWorkspaces() {
  const callers = [await createCaller(t.db), await createCaller(t.db)];
  return callers.map((caller) => caller.workspaceId) as [number, number];
}

const rename = (tx: SqlTx, id: number, name: string) =>
  tx.$executeRaw`UPDATE workspaces SET name = ${name} WHERE id = ${id}::int`;

const nameOf = async (id: number) => (await t.db.workspace.findUniqueOrThrow({ where: { id } })).name;

describe("a transaction on the driver", () => {
  it("commits its work whole, and gives back what it returns", async () => {
    const [id] = await twoWorkspaces();
    await expect(inSqlTransaction(t.db, async (tx) => rename(tx, id, "Quay"))).resolves.toBe(1);
    await expect(nameOf(id)).resolves.toBe("Quay");
  });

  it("leaves nothing behind when its work throws, and its connection is as good as new", async () => {
    const [id] = await twoWorkspaces();
    const before = await nameOf(id);
    const db = createDb(t.url, 1);
    const work = async (tx: SqlTx) => {
      await rename(tx, id, "Half");
      throw new Error("second thoughts");
    };
    await expect(inSqlTransaction(db, work)).rejects.toThrow("second thoughts");
    await expect(inSqlTransaction(db, async (tx) => tx.$queryRaw`SELECT 1 AS one`)).resolves.toEqual([
      { one: 1 },
    ]);
    await expect(nameOf(id)).resolves.toBe(before);
    await db.$disconnect();
  });

  it("is tried again when a deadlock made it fail", async () => {
    const [a, b] = await twoWorkspaces();
    let tries = 0;
    let arrived = 0;
    let open = () => {};
    const bothHoldOne = new Promise<void>((resolve) => {
      open = resolve;
    });
    const lockBoth = (first: number, second: number) =>
      inSqlTransaction(t.db, async (tx) => {
        tries += 1;
        await rename(tx, first, "one");
        arrived += 1;
        if (arrived === 2) open();
        await bothHoldOne;
        await rename(tx, second, "two");
      });
    await Promise.all([lockBoth(a, b), lockBoth(b, a)]);
    expect(tries).toBe(3);
  });

  it("outlives a connection that is lost while it thinks, and says so", async () => {
    const db = createDb(t.url, 1);
    const attempt = inSqlTransaction(db, async (tx) => {
      const [mine] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
      await t.db.$queryRaw`SELECT pg_terminate_backend(${mine?.pid}::int, 5000)`;
      // Its end arrives here while no query waits for it.
      await new Promise((resolve) => setImmediate(resolve));
      await tx.$queryRaw`SELECT 1`;
    });
    await expect(attempt).rejects.toMatchObject({ code: "unavailable" });
    await expect(inSqlTransaction(db, async () => "back")).resolves.toBe("back");
    await db.$disconnect();
  });

  it("names a database that is away", async () => {
    const db = createDb("postgresql://nobody@127.0.0.1:1/nothing", 1);
    await expect(inSqlTransaction(db, async () => 1)).rejects.toMatchObject({ code: "unavailable" });
    await db.$disconnect();
  });
});
