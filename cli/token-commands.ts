import type { Flags } from "@/cli/flags";
import { CliError, type Io, UsageError } from "@/cli/io";
import { formatTable } from "@/cli/table";
import { findMeantWorkspaces } from "@/server/access/demo";
import { isScope, SCOPES, type Scope } from "@/server/access/principal";
import { createToken, listTokens, revokeToken } from "@/server/access/tokens";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";

const DAY_MS = 24 * 60 * 60 * 1000;

export async function createTokenCommand(db: Db, flags: Flags, io: Io): Promise<void> {
  const scopes = readScopes(flags.required("scopes"));
  const days = flags.integer("expires-days", 1, 3650);
  const caller = await chooseCaller(db, flags);
  const { id, token, expiresAt } = await createToken(db, caller, {
    name: flags.required("name"),
    scopes,
    expiresAt: days === undefined ? null : new Date(Date.now() + days * DAY_MS),
  });
  io.err(
    `Created ${id}, ${expiresAt ? `valid until ${expiresAt.toISOString()}` : "without expiry"}. Shown this once:`,
  );
  io.out(token);
}

export async function listTokensCommand(db: Db, flags: Flags, io: Io): Promise<void> {
  const tokens = await listTokens(db, await chooseCaller(db, flags));
  io.out(
    formatTable(
      ["ID", "NAME", "STARTS WITH", "SCOPES", "LAST USED", "STATE"],
      tokens.map((token) => [
        token.id,
        token.name,
        token.prefix,
        token.scopes.length === SCOPES.length ? "all" : token.scopes.join(","),
        token.lastUsedAt?.toISOString() ?? "never",
        describeState(token),
      ]),
    ),
  );
}

export async function revokeTokenCommand(db: Db, flags: Flags, io: Io): Promise<void> {
  const { id, name } = await revokeToken(db, await chooseCaller(db, flags), flags.required("ID"));
  io.err(`Revoked ${id} (${name}). It stops working within a second.`);
}

function readScopes(text: string): Scope[] {
  if (text.trim() === "all") return [...SCOPES];
  const names = text.split(",").map((name) => name.trim());
  return names.map((name) => {
    if (isScope(name)) return name;
    throw new UsageError(`Unknown scope "${name}". There is: all, ${SCOPES.join(", ")}.`);
  });
}

function describeState({ revokedAt, expiresAt }: { revokedAt: Date | null; expiresAt: Date | null }): string {
  if (revokedAt) return `revoked ${revokedAt.toISOString()}`;
  if (!expiresAt) return "valid";
  return expiresAt.getTime() > Date.now() ? `until ${expiresAt.toISOString()}` : "expired";
}

/** The workspace meant: the given one, or the only one beside the demo's. */
async function chooseCaller(db: Db, flags: Flags): Promise<Caller> {
  const wanted = flags.integer("workspace", 1, 2_147_483_647);
  const [only, another] = await findMeantWorkspaces(db, wanted);
  if (another)
    throw new UsageError(
      "There are several workspaces: say which with --workspace ID (user list shows them).",
    );
  if (only) return { workspaceId: only.id, actor: { type: "cli" } };
  if (wanted !== undefined) throw new CliError(`There is no workspace ${wanted}.`);
  throw new CliError("There is no workspace yet. Create its owner first: npm run cli -- user create --help");
}
