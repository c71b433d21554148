/**
 * What the demo's feeds publish at a given time. A function of the clock alone: nothing is stored, every
 * process answers the same, and new items and edits appear while somebody watches.
 */
export type DemoItem = {
  /** Number of the item since 1970, in steps of its feed. */
  number: number;
  /** The same wherever the demo is served. */
  id: string;
  url: string;
  title: string;
  html: string;
  author: string;
  published: Date;
  /** Later than `published` once the item was edited. */
  updated: Date;
};

export type DemoChannel = {
  slug: string;
  title: string;
  description: string;
  author: string;
  /** One item per step. */
  stepMinutes: number;
  /** How many of the last items the feed carries. */
  length: number;
  /** Every how manieth item is edited, a third of a step after it came out. */
  editedEvery: number;
  write(number: number, published: Date): { title: string; html: string };
};

const MINUTE_MS = 60_000;

export function listItems(channel: DemoChannel, origin: string, now: Date): DemoItem[] {
  const stepMs = channel.stepMinutes * MINUTE_MS;
  const newest = Math.floor(now.getTime() / stepMs);
  return Array.from({ length: channel.length }, (_, back) => makeItem(channel, origin, newest - back, now));
}

/** @returns null for a number that is still to come. */
export function getItem(channel: DemoChannel, origin: string, number: number, now: Date): DemoItem | null {
  if (!Number.isSafeInteger(number) || number < 1) return null;
  if (number * channel.stepMinutes * MINUTE_MS > now.getTime()) return null;
  return makeItem(channel, origin, number, now);
}

function makeItem(channel: DemoChannel, origin: string, number: number, now: Date): DemoItem {
  const stepMs = channel.stepMinutes * MINUTE_MS;
  const published = new Date(number * stepMs);
  const editedAt = new Date(published.getTime() + stepMs / 3);
  const isEdited = number % channel.editedEvery === 0 && editedAt <= now;
  const { title, html } = channel.write(number, published);
  return {
    number,
    id: `tag:demo.tidemark.example,2026:${channel.slug}/${number}`,
    url: `${origin}/demo/${channel.slug}/${number}`,
    title: isEdited ? `${title} (corrected)` : title,
    html: isEdited ? `${html}<p>Corrected: the first report gave the wrong berth.</p>` : html,
    author: channel.author,
    published,
    updated: isEdited ? editedAt : published,
  };
}
