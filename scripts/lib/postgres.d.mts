/** Types of postgres.mjs for the tests, which are TypeScript. */
export type RunningCluster = { pid: number; port: number; exited: Promise<string> };

export function createCluster(
  directory: string,
  password: string,
  options?: { throwAway?: boolean },
): Promise<void>;
export function startCluster(
  directory: string,
  options: { port?: number; logFile: string; settings?: Record<string, string | number> },
): Promise<RunningCluster>;
export function stopPostmaster(pid: number, mode: "fast" | "immediate"): Promise<void>;
export function findPostmaster(directory: string): { pid: number; port: number; status?: string } | null;
export function clusterUrl(port: number, password: string, database: string): string;
