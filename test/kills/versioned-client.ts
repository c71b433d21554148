import type { Random } from "./random";
import { expectStatus, type RestClient } from "./rest-client";

const IDS = 40;
const PER_CALL = 12;

/**
 * A client that pushes ever newer versions of the same documents and sends every call again until it has
 * an answer. Several of them on one feed overtake each other.
 *
 * @param versions The newest version of each id that anybody sent; shared by the clients of a feed.
 */
export async function pushVersions(
  rest: RestClient,
  feedId: string,
  versions: Map<string, number>,
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const ids = new Set(Array.from({ length: PER_CALL }, () => `v-${random.int(1, IDS)}`));
    const documents = [...ids].map((id) => {
      const version = (versions.get(id) ?? 0) + 1;
      versions.set(id, version);
      return { id, version: String(version), title: titleOf(id, version) };
    });
    expectStatus(await rest.insist("POST", `/api/v1/feeds/${feedId}/documents`, { documents }), 200);
  }
}

export function titleOf(id: string, version: number): string {
  return `${id} in version ${version}`;
}
