/** What was read a moment ago, by key: bounded in age and number; beyond, the oldest is forgotten. */
export class ShortMemory<Value> {
  private readonly entries = new Map<string, { value: Value; readAt: number }>();

  /** @param limits.ms for how long an entry is believed. */
  constructor(private readonly limits: { ms: number; entries: number }) {}

  /** @returns the entry with its age in milliseconds. */
  recall(key: string): { value: Value; ageMs: number } | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    const ageMs = performance.now() - entry.readAt;
    if (ageMs < this.limits.ms) return { value: entry.value, ageMs };
    this.entries.delete(key);
    return undefined;
  }

  /** @param readAt on performance.now()'s clock: from before the reading began, so that no entry is believed too long. */
  remember(key: string, value: Value, readAt: number): void {
    this.entries.delete(key); // to the end: the oldest are first
    this.entries.set(key, { value, readAt });
    if (this.entries.size > this.limits.entries)
      this.entries.delete(this.entries.keys().next().value as string);
  }

  forget(key: string): void {
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }
}
