import type { z } from "zod";
import { maskUrl } from "@/sdk/mask-url";
import { audit } from "@/server/access/audit";
import { parseInput } from "@/server/access/parse-input";
import type { Caller } from "@/server/actor";
import { readSafePoint } from "@/server/changes/safe-point";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { newId } from "@/server/ids";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import { saveCredential } from "@/server/vault/credentials";
import { MAX_ENDPOINTS } from "./choices";
import { type EndpointWithSecret, endpointSelect, toEndpoint } from "./endpoint-shape";
import { refuseAddress } from "./refuse-address";
import { createEndpointInput } from "./schema";
import { newSecret } from "./sign-delivery";

/**
 * Adds an address that is told of events from now on.
 *
 * @returns `secret` is shown this once; nobody can read it again.
 * @throws AppError invalid_request; conflict when the workspace has as many as it may.
 */
export async function createEndpoint(
  db: Db,
  caller: Caller,
  input: z.input<typeof createEndpointInput>,
): Promise<EndpointWithSecret> {
  const { url, events, description = "" } = parseInput(createEndpointInput, input);
  refuseAddress(url);
  const { workspaceId } = caller;
  const secret = newSecret();
  // It is told of what changes from now on, not of what was there before.
  const changesSeq = await readSafePoint(db, workspaceId);
  const endpoint = await inTransaction(db, async (tx) => {
    await tx.$queryRaw`SELECT id FROM workspaces WHERE id = ${workspaceId}::int FOR NO KEY UPDATE`;
    if ((await tx.webhookEndpoint.count({ where: { workspaceId } })) >= MAX_ENDPOINTS) {
      throw new AppError(
        "conflict",
        `A workspace has at most ${MAX_ENDPOINTS} webhooks. Delete one that is not needed any more.`,
      );
    }
    const { epoch } = await tx.instance.findUniqueOrThrow({ where: { id: 1 }, select: { epoch: true } });
    const id = newId("whk");
    const sealed = { type: "webhook", url, secrets: [{ secret, until: null }] } as const;
    const row = await tx.webhookEndpoint.create({
      data: {
        workspaceId,
        id,
        url: maskUrl(url),
        description,
        events,
        credentialId: await saveCredential(tx, workspaceId, { ...sealed, secrets: [...sealed.secrets] }),
        changesEpoch: epoch,
        changesSeq,
      },
      select: endpointSelect,
    });
    await audit(tx, caller, "webhook.create", id, { url, events, description });
    return toEndpoint(row, new Date());
  });
  publish(db, caller, { webhook: [endpoint.id] });
  return { ...endpoint, secret };
}
