import { toHttpUrl } from "./urls";
import type { XmlElement } from "./xml-tree";

/** RFC 5005: where older entries are. Archives do not shift while they are read, so they come first. */
export function olderPageOf(channel: XmlElement[], base: string): { older?: string } {
  for (const relation of ["prev-archive", "next"]) {
    const link = channel.find(
      (el) =>
        el.vocabulary === "atom" &&
        el.name === "link" &&
        el.attributes.rel?.trim().toLowerCase() === relation,
    );
    const older =
      link && toHttpUrl(link.attributes.href, link.base ? (toHttpUrl(link.base, base) ?? base) : base);
    if (older) return { older };
  }
  return {};
}

/** RFC 6721 tombstones: `<at:deleted-entry ref="…">`. */
export function deletedIdsOf(channel: XmlElement[]): string[] {
  return channel
    .filter((el) => el.vocabulary === "tombstone" && el.name === "deleted-entry")
    .map((el) => el.attributes.ref?.trim() ?? "")
    .filter((ref) => ref !== "");
}
