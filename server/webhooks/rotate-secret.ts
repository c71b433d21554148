import type { z } from "zod";
import { audit } from "@/server/access/audit";
import { parseInput } from "@/server/access/parse-input";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { AppError } from "@/server/errors";
import { publish } from "@/server/live/publish";
import { inTransaction } from "@/server/transaction";
import { openCredentialRevision, saveCredential } from "@/server/vault/credentials";
import { DEFAULT_OVERLAP_SECONDS } from "./choices";
import type { EndpointWithSecret } from "./endpoint-shape";
import { getEndpoint, lockEndpoint } from "./endpoints";
import { rotateInput } from "./schema";
import { newSecret } from "./sign-delivery";

/**
 * Makes a new signing secret. For the time of the overlap deliveries bear both signatures, so that the
 * receiver can change over in between; one that was on its way out before ends now.
 *
 * @returns `secret` is shown this once.
 * @throws AppError not_found, invalid_request
 */
export async function rotateSecret(
  db: Db,
  caller: Caller,
  input: z.input<typeof rotateInput>,
): Promise<EndpointWithSecret> {
  const { webhookId, overlapSeconds = DEFAULT_OVERLAP_SECONDS } = parseInput(rotateInput, input);
  const { workspaceId } = caller;
  const secret = newSecret();
  const endpoint = await inTransaction(db, async (tx) => {
    const { credentialId } = await lockEndpoint(tx, caller, { webhookId });
    const opened = await openCredentialRevision(tx, workspaceId, credentialId);
    if (opened.secret.type !== "webhook")
      throw new AppError("conflict", "This webhook has no signing secret.");
    const until = overlapSeconds > 0 ? new Date(Date.now() + overlapSeconds * 1000) : null;
    const [newest] = opened.secret.secrets;
    const kept = until && newest ? [{ secret: newest.secret, until: until.toISOString() }] : [];
    const secrets = [{ secret, until: null }, ...kept];
    await saveCredential(tx, workspaceId, { ...opened.secret, secrets }, credentialId, opened.revision);
    await tx.webhookEndpoint.update({
      where: { workspaceId_id: { workspaceId, id: webhookId } },
      data: { overlapUntil: until, updatedAt: new Date() },
    });
    await audit(tx, caller, "webhook.rotate", webhookId, { overlapSeconds });
    return getEndpoint(tx, caller, { webhookId });
  });
  publish(db, caller, { webhook: [webhookId] });
  return { ...endpoint, secret };
}
