/** Seeded, so that a failing run can be repeated as far as timing allows: TIDEMARK_SEED=… npm test -- process */
export type Random = { seed: number; int(min: number, max: number): number };

export function createRandom(
  seed = Number(process.env.TIDEMARK_SEED) || Math.floor(Math.random() * 2 ** 31),
): Random {
  let state = seed;
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return { seed, int: (min, max) => min + Math.floor(next() * (max - min + 1)) };
}
