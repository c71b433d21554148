import { randomBytes } from "node:crypto";

export const BATCH = 50;
const TEXT_BYTES = 1_500;

export type BenchDocument = {
  id: string;
  version: string;
  title: string;
  text: string;
  url: string;
  date: string;
};

/** A batch nobody has seen before, with about 1.5 KB of random text each. */
export function makeBatch(): BenchDocument[] {
  return Array.from({ length: BATCH }, () => {
    const id = randomBytes(9).toString("base64url");
    return {
      id,
      version: "1",
      title: `Document ${id}`,
      text: randomText(),
      url: `https://bench.example/${id}`,
      date: new Date().toISOString(),
    };
  });
}

/** Random letters and spaces: does not compress, reads like words. */
function randomText(): string {
  return randomBytes((TEXT_BYTES * 3) / 4)
    .toString("base64")
    .replaceAll(/[+/=]/g, " ");
}
