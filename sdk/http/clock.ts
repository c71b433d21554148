import { pause } from "./abort.ts";

/** Time and chance; tests hand in their own. */
export type Clock = {
  pause(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** 0 ≤ x < 1. */
  random(): number;
  /** Milliseconds of a clock that never jumps. */
  now(): number;
};

export const REAL_CLOCK: Clock = { pause, random: Math.random, now: () => performance.now() };
