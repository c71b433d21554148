import { randomBytes, randomInt } from "node:crypto";

export const BATCH = 50;
const TEXT_LENGTH = 1_500;

export type BenchDocument = {
  id: string;
  version: string;
  title: string;
  text: string;
  url: string;
  date: string;
};

/** Random letters and spaces; does not compress. Texts are cut out of it: making them anew costs too much. */
const letters = randomBytes(6 * 1024 * 1024)
  .toString("base64")
  .replaceAll(/[+/=]/g, " ");

/** A batch nobody has seen before, with about 1.5 KB of random text each. */
export function makeBatch(): BenchDocument[] {
  const date = new Date().toISOString();
  return Array.from({ length: BATCH }, () => {
    const id = randomBytes(9).toString("base64url");
    const from = randomInt(letters.length - TEXT_LENGTH);
    return {
      id,
      version: "1",
      title: `Document ${id}`,
      text: letters.slice(from, from + TEXT_LENGTH),
      url: `https://bench.example/${id}`,
      date,
    };
  });
}

/** As a client sends it. Made before the clock runs, so that the clients are cheap. */
export function makeBody(): Buffer {
  return Buffer.from(JSON.stringify({ documents: makeBatch() }));
}
