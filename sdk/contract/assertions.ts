/** What the contract's checks need of a test framework, so that they run in any. */

/** Which promise an adapter broke. */
export class ContractBroken extends Error {
  override readonly name = "ContractBroken";
}

/** @throws ContractBroken */
export function assert(isTrue: boolean, message: string, found?: unknown): asserts isTrue {
  if (isTrue) return;
  throw new ContractBroken(found === undefined ? message : `${message} Found: ${show(found)}`);
}

/** Are they the same as JSON, whatever the order of their keys? */
export function isSame(a: unknown, b: unknown): boolean {
  return show(a) === show(b);
}

/** What the promise rejects with. @throws ContractBroken when it does not. */
export async function rejection(promise: Promise<unknown>, message: string): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new ContractBroken(message);
}

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}

function show(value: unknown): string {
  const sorted = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
  return sorted ?? String(value);
}
