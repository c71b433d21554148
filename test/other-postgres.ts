import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chmod, chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import pg from "pg";
import { freePort } from "../scripts/lib/ports.mjs";
import { waitUntil } from "./wait-until";

const INSTALLED = "/usr/lib/postgresql"; // where Debian and Ubuntu keep each major apart

export type OtherCluster = { major: number; url: string; stop(): Promise<void> };

/** Another major than ours that this machine happens to have and Tidemark supports; the oldest. */
export function findOtherMajor(): number | null {
  if (process.platform !== "linux" || !existsSync(INSTALLED)) return null;
  const majors = readdirSync(INSTALLED).map(Number);
  return (
    majors
      .filter((major) => major >= 15 && major < 18 && existsSync(binary(major, "initdb")))
      .sort((a, b) => a - b)[0] ?? null
  );
}

/** Starts a cluster of that major; it cannot outlive this process. */
export async function startOtherPostgres(major: number): Promise<OtherCluster> {
  const directory = await mkdtemp(join(tmpdir(), `tidemark-pg${major}-`));
  // PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? idOf("postgres") : null;
  if (user) await chown(directory, user.uid, user.gid);
  await chmod(directory, 0o711);
  const guard = spawn(
    process.execPath,
    [resolve(import.meta.dirname, "../scripts/guard-cluster.mjs"), directory],
    {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    },
  );
  guard.unref();
  const data = join(directory, "data");
  const options = { ...user, cwd: "/", env: { ...process.env, LC_ALL: "C", TZ: "UTC" } };
  const flags = ["-D", data, "-U", "tidemark", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  execFileSync(binary(major, "initdb"), flags, { ...options, stdio: "pipe" });
  const port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"];
  const server = spawn(
    binary(major, "postgres"),
    ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])],
    { ...options, detached: true, stdio: "ignore" },
  );
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const url = `postgresql://tidemark@127.0.0.1:${port}/postgres`;
  await waitUntil(() => answers(url), `PostgreSQL ${major} takes connections`, 30_000);
  return {
    major,
    url,
    async stop() {
      server.kill("SIGQUIT");
      await ended;
      await rm(directory, { recursive: true, force: true });
      guard.kill("SIGKILL");
    },
  };
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

function binary(major: number, name: string): string {
  return join(INSTALLED, String(major), "bin", name);
}

function idOf(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync("id", [flag, name], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}
