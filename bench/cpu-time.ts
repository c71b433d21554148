import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Linux counts in hundredths of a second, on every architecture Node runs on. */
const MS_PER_TICK = 10;

export type CpuTimes = { bench: number; server: number; postgres: number };

/** Processor time so far by process id, in milliseconds, of us, the server and PostgreSQL's processes. */
export type CpuReading = Map<number, { owner: keyof CpuTimes; ms: number }>;

/** @returns an empty reading where there is no /proc. */
export function readCpuTimes(serverPid: number, postmasterPid: number): CpuReading {
  const reading: CpuReading = new Map();
  if (!existsSync("/proc/self/stat")) return reading;
  for (const name of readdirSync("/proc")) {
    const found = /^\d+$/.test(name) ? readProcess(Number(name)) : null;
    if (!found) continue;
    if (found.pid === process.pid) reading.set(found.pid, { owner: "bench", ms: found.ms });
    if (found.pid === serverPid) reading.set(found.pid, { owner: "server", ms: found.ms });
    if (found.parent === postmasterPid) reading.set(found.pid, { owner: "postgres", ms: found.ms });
  }
  return reading;
}

/**
 * What was used between two readings: unlike documents a second it says where the time goes even while
 * something else uses the machine. A process that ended in between is left out.
 */
export function cpuBetween(before: CpuReading, after: CpuReading): CpuTimes {
  const used = { bench: 0, server: 0, postgres: 0 };
  for (const [pid, { owner, ms }] of after) used[owner] += ms - (before.get(pid)?.ms ?? 0);
  return used;
}

type ProcessTime = { pid: number; parent: number; ms: number };

function readProcess(pid: number): ProcessTime | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // proc(5), counted from the state: 1 is the parent, 11 user and 12 system time.
    return { pid, parent: Number(fields[1]), ms: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK };
  } catch {
    return null; // ended meanwhile
  }
}
