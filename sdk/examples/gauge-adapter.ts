import { type AdapterDocument, defineAdapter, throwForStatus } from "@tidemark/client/adapter";
import { z } from "zod";

/**
 * Readings of a tide gauge, from a service that answers
 *
 *     GET <externalKey>/readings?after=<id>&limit=<pageSize>
 *     [{ "id": 41, "at": "2026-06-14T09:00:00Z", "level": 2.31 }, …]
 *
 * oldest first. Ids only grow, so the last id is the position.
 */
export const gauge = defineAdapter({
  type: "tide-gauge",
  name: "Tide gauge",
  description: "Follows the readings of a tide gauge.",
  watermark: "idSet",
  auth: ["none", "bearer"],
  config: z.object({ pageSize: z.int().min(1).max(200).default(40) }),
  runsOn: ["cloud", "agent"],
  externalKey: "Address of the gauge",
  externalKeyIsUrl: true,

  async *sync({ config, feed, cursor, fetch, signal, now }) {
    let last = cursor.type === "idSet" ? cursor.high : "0";
    for (;;) {
      const url = `${feed.url}/readings?after=${last}&limit=${config.pageSize}`;
      const response = await fetch(url, { signal });
      throwForStatus(response, now());
      const documents = parseReadings(response.body);
      last = documents.at(-1)?.id ?? last;
      // The page and its cursor are stored together, before the next one is asked for.
      if (documents.length > 0) yield { documents, cursor: { type: "idSet", high: last, recent: [] } };
      if (documents.length < config.pageSize) return;
    }
  },
});

const readings = z.array(z.object({ id: z.int(), at: z.iso.datetime(), level: z.number() }));

/** What the service sent is unknown until the schema has read it. */
function parseReadings(body: Uint8Array): AdapterDocument[] {
  return readings.parse(JSON.parse(new TextDecoder().decode(body))).map(({ id, at, level }) => ({
    id: String(id),
    title: `${level.toFixed(2)} m`,
    date: at,
    metadata: { level },
  }));
}
