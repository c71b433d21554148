/** So many lines are enough to read a height by. */
const LINES = 4;

/**
 * Where a chart's lines stand: from zero, evenly, at round values, the last one at or above the greatest.
 *
 * @param steps the distances that are round; absent: 1, 2 and 5 and their tens, from 1 on.
 */
export function roundTicks(greatest: number, steps?: readonly number[]): number[] {
  const wanted = Math.max(greatest, 1) / LINES;
  const step = steps?.find((round) => round >= wanted) ?? roundStep(wanted);
  const lines = Math.max(1, Math.ceil(greatest / step));
  return Array.from({ length: lines + 1 }, (_, line) => line * step);
}

function roundStep(wanted: number): number {
  const ten = Math.max(1, 10 ** Math.floor(Math.log10(wanted)));
  return [1, 2, 5, 10].map((digit) => digit * ten).find((round) => round >= wanted) ?? 10 * ten;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Durations are round in their own way, in milliseconds. */
export const DURATION_STEPS = [
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 6, 12, 24].map((hours) => hours * HOUR),
];
