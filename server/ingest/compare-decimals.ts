/**
 * Orders non-negative decimals of any length, `12`, `007` or `1750000000.25`, by exact value.
 */
export function compareDecimals(a: string, b: string): number {
  const [wholeA = "", fractionA = ""] = a.split(".");
  const [wholeB = "", fractionB = ""] = b.split(".");
  const left = BigInt(wholeA);
  const right = BigInt(wholeB);
  if (left !== right) return left < right ? -1 : 1;
  const length = Math.max(fractionA.length, fractionB.length);
  const paddedA = fractionA.padEnd(length, "0");
  const paddedB = fractionB.padEnd(length, "0");
  return paddedA < paddedB ? -1 : Number(paddedA > paddedB);
}
