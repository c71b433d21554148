import { isSecretName, MASK, maskUrlsInText } from "@/sdk/mask-url";
import type { Caller } from "@/server/actor";
import type { Prisma, Tx } from "@/server/db";
import { newId } from "@/server/ids";

/**
 * Records what someone changed, in the transaction that changes it: no change without its entry,
 * no entry without its change.
 *
 * @param action `<noun>.<verb>`: `feed.reset`, `token.create`.
 * @param detail What to know later. Secrets do not belong here; URLs are masked and secret-named
 *   members blanked all the same, because config comes from outside.
 */
export async function audit(
  tx: Tx,
  caller: Caller,
  action: string,
  targetId: string | null,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await tx.auditEntry.create({
    data: {
      workspaceId: caller.workspaceId,
      id: newId("aud"),
      actor: caller.actor,
      action,
      targetId: targetId === null ? null : maskUrlsInText(targetId),
      detail: maskSecrets(detail) as Prisma.InputJsonObject,
      requestId: caller.requestId ?? null,
    },
  });
}

/** A JSON copy with URLs masked and secret-named members blanked, at any depth. */
export function maskSecrets(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value ?? null, (name, member: unknown) => {
      if (typeof member !== "string") return member;
      return isSecretMember(name) ? MASK : maskUrlsInText(member);
    }),
  );
}

// Names and error codes of ours that only sound like secrets.
const PLAIN_MEMBERS = new Set(["key", "externalKey", "code", "tokenId", "tokenName"]);

function isSecretMember(name: string): boolean {
  return !PLAIN_MEMBERS.has(name) && isSecretName(name);
}
