import { audit } from "@/server/access/audit";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { forgetConsumer } from "./note-consumer";

/**
 * Takes a name off the list; its cursor stays good, and pulling again brings it back.
 *
 * @throws AppError not_found
 */
export async function deleteConsumer(db: Db, caller: Caller, { name }: { name: string }): Promise<void> {
  const { workspaceId } = caller;
  await db.$transaction(async (tx) => {
    const { count } = await tx.consumer.deleteMany({ where: { workspaceId, name } });
    if (count === 0) throw new AppError("not_found", "There is no consumer of this name.");
    await audit(tx, caller, "consumer.delete", null, { name });
  });
  forgetConsumer(db, workspaceId, name);
}
