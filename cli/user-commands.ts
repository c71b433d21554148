import type { Flags } from "@/cli/flags";
import { type Io, UsageError } from "@/cli/io";
import { formatTable } from "@/cli/table";
import { createUser } from "@/server/access/create-user";
import { listUsers, resetPassword } from "@/server/access/users";
import type { Db, Role } from "@/server/db";

const ROLES: readonly Role[] = ["viewer", "member", "admin", "owner"];

export async function createUserCommand(db: Db, flags: Flags, io: Io): Promise<void> {
  const role = ROLES.find((known) => known === flags.required("role"));
  if (!role)
    throw new UsageError(`--role must be one of ${ROLES.join(", ")}, not "${flags.required("role")}".`);
  const { userId, workspaceId } = await createUser(
    db,
    { type: "cli" },
    {
      email: flags.required("email"),
      password: flags.required("password"),
      name: flags.optional("name"),
      role,
      workspaceId: flags.integer("workspace", 1, 2_147_483_647),
    },
  );
  io.err(`Created ${flags.required("email")} (${userId}), ${role} of workspace ${workspaceId}.`);
}

/** The password on stdout when it was made here, so that a script can hand it on. */
export async function resetPasswordCommand(db: Db, flags: Flags, io: Io): Promise<void> {
  const given = flags.optional("password");
  const { password } = await resetPassword(
    db,
    { type: "cli" },
    { email: flags.required("email"), password: given },
  );
  io.err("The password was changed; every session of this account has ended.");
  if (given === undefined) io.out(password);
}

export async function listUsersCommand(db: Db, _flags: Flags, io: Io): Promise<void> {
  const users = await listUsers(db);
  io.out(
    formatTable(
      ["ID", "E-MAIL", "NAME", "ROLE", "WORKSPACE"],
      users.map(({ id, email, name, role, workspaceId }) => [
        id,
        email,
        name,
        role ?? "-",
        String(workspaceId ?? "-"),
      ]),
    ),
  );
}
