import { elementsOf, textOf } from "./markup";
import type { Enclosure } from "./parsed-feed";
import { toHttpUrl } from "./urls";
import type { XmlElement } from "./xml-tree";

/** Beyond this an item is not carrying files but trying our patience. */
export const MAX_ENCLOSURES = 20;

/** Media RSS elements of an item, those inside `media:group` included. */
export function mediaElements(children: XmlElement[]): XmlElement[] {
  const media = children.filter((el) => el.vocabulary === "media");
  return media.flatMap((el) => (el.name === "group" ? [el, ...elementsOf(el)] : [el]));
}

/** Enclosures from RSS `enclosure`, Atom `link rel=enclosure` and `media:content`, each URL once. */
export function readEnclosures(
  elements: { url: string | undefined; type?: string; length?: string; duration?: string }[],
  base: string,
): Enclosure[] {
  const byUrl = new Map<string, Enclosure>();
  for (const { url: address, type, length, duration } of elements) {
    const url = toHttpUrl(address, base);
    if (byUrl.size >= MAX_ENCLOSURES) break;
    if (!url || byUrl.has(url)) continue;
    const bytes = toCount(length);
    const seconds = toCount(duration);
    byUrl.set(url, {
      url,
      ...(type?.trim() ? { type: type.trim() } : {}),
      ...(bytes ? { bytes } : {}),
      ...(seconds ? { seconds } : {}),
    });
  }
  return [...byUrl.values()];
}

export function mediaContents(media: XmlElement[]) {
  return media
    .filter((el) => el.name === "content")
    .map(({ attributes: a }) => ({ url: a.url, type: a.type, length: a.filesize, duration: a.duration }));
}

/** The item's picture: `media:thumbnail`, else `itunes:image`. */
export function readImage(children: XmlElement[], media: XmlElement[], base: string): string | undefined {
  const thumbnail = media.find((el) => el.name === "thumbnail")?.attributes.url;
  const cover = children.find((el) => el.vocabulary === "itunes" && el.name === "image")?.attributes.href;
  return toHttpUrl(thumbnail ?? cover, base);
}

/** `media:description`: the only text some video feeds have. */
export function mediaDescription(media: XmlElement[]): string | undefined {
  const element = media.find((el) => el.name === "description");
  return element ? textOf(element).trim() || undefined : undefined;
}

function toCount(text: string | undefined): number | undefined {
  const value = Number(text?.trim() || Number.NaN);
  return Number.isSafeInteger(Math.round(value)) && value > 0 ? Math.round(value) : undefined;
}
