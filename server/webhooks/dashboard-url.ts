import { env } from "@/server/env";

/** A page's whole address for people outside a browser: `/runs/run_…`. */
export function dashboardUrl(path: string): string {
  const { TIDEMARK_URL, PORT } = env();
  return `${TIDEMARK_URL ? new URL(TIDEMARK_URL).origin : `http://localhost:${PORT}`}${path}`;
}
