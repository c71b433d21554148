import type { Db } from "@/server/db";
import { VERSION } from "@/server/version";

/** A load balancer asks every few seconds; a database that takes longer is as good as none. */
const PATIENCE_MS = 3000;

/**
 * Is this process able to serve? 503 while starting (no schema yet) and without the database.
 * Open to everyone, so it says nothing that could matter to an attacker.
 */
export async function readHealth(getDb: () => Db): Promise<Response> {
  const epoch = await readEpoch(getDb);
  const headers = { "cache-control": "no-store" };
  if (epoch === null) {
    return Response.json(
      { status: "unavailable", version: VERSION, database: "unavailable" },
      { status: 503, headers },
    );
  }
  return Response.json({ status: "ok", version: VERSION, database: "ok", epoch }, { headers });
}

async function readEpoch(getDb: () => Db): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, null);
  });
  try {
    const instance = getDb().instance.findUnique({ where: { id: 1 }, select: { epoch: true } });
    return await Promise.race([instance.then((row) => row?.epoch ?? null), patience]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
