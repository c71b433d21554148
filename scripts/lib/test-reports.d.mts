export type Counts = { passed: number; failed: number; skipped?: number; failures: string[] };

export function countChecks(results: { name: string; code: number }[]): Counts;
export function countVitest(report: unknown, code: number, title: string): Counts;
export function countPlaywright(report: unknown, code: number): Counts;
