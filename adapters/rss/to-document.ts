import type { AdapterDocument, JsonObject } from "@/sdk/adapter";
import type { IdentifiedItem } from "./identify";
import { foldKey } from "./identify";

/**
 * One item as a document. Everything that makes an edit visible is in a hashed field: there is no
 * version, feeds number nothing. An item without a readable date carries none.
 */
export function toDocument(item: IdentifiedItem): AdapterDocument {
  const date = item.published ?? item.updated;
  const metadata = metadataOf(item);
  return {
    id: item.externalId,
    ...(item.key !== item.externalId ? { key: item.key } : {}),
    ...(item.title ? { title: item.title } : {}),
    ...(item.body ? { text: item.body.text, format: item.body.format } : {}),
    ...(item.link ? { url: item.link } : {}),
    ...(item.author ? { author: item.author } : {}),
    ...(date ? { date: date.toISOString() } : {}),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
}

/** The tombstone of an id that the feed says was deleted. */
export function toTombstone(id: string): AdapterDocument {
  const key = foldKey(id);
  return { id, ...(key !== id ? { key } : {}), deleted: true };
}

function metadataOf(item: IdentifiedItem): JsonObject {
  return {
    ...(item.published && item.updated ? { updated: item.updated.toISOString() } : {}),
    ...(item.summary ? { summary: item.summary } : {}),
    ...(item.categories.length > 0 ? { categories: item.categories } : {}),
    ...(item.enclosures.length > 0 ? { enclosures: item.enclosures } : {}),
    ...(item.image ? { image: item.image } : {}),
  };
}
