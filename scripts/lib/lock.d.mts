export function takeLock(
  path: string,
  purpose: string,
  options?: { waitMs?: number; onWait?(holder: { pid: number; purpose: string }): void },
): Promise<() => void>;
export function lockHolder(path: string): { pid: number; purpose: string } | null;
