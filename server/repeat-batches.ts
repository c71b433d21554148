/**
 * Works in batches until one is not full, or until the signal is aborted: no statement holds locks for long.
 *
 * @param batch does at most `size` rows and says how many.
 * @returns how many rows in all.
 */
export async function repeatBatches(
  size: number,
  signal: AbortSignal | undefined,
  batch: () => Promise<number>,
): Promise<number> {
  let total = 0;
  for (;;) {
    const count = signal?.aborted ? 0 : await batch();
    total += count;
    if (count < size) return total;
  }
}
