/** A row of `read_changes()`, all text. */
export type ChangeRow = [
  /** Of the whole feed, in the first row alone; `cut`: not to be sent, but there is more. */
  head: string | null,
  seq: string,
  state: string,
  id: string,
  feedId: string,
  sourceId: string,
  externalId: string,
  version: string | null,
  changedAt: string,
  title: string | null,
  url: string | null,
  author: string | null,
  date: string | null,
  metadata: string | null,
  text: string | null,
];

/**
 * A change in its wire form. Put together as text: an object per row, dates parsed and metadata read only
 * to be written again took longer than reading the page (bench/changes.ts). The ids are ours and need no
 * escaping; whatever came from outside gets it.
 */
export function toChangeJson(row: ChangeRow, withText: boolean): string {
  const [, seq, state, id, feedId, sourceId, externalId, version, changedAt] = row;
  const isLive = state === "live";
  const version_ = version === null ? "null" : JSON.stringify(version);
  return `{"seq":"${seq}","op":"${isLive ? "upsert" : "delete"}","sourceId":"${sourceId}","feedId":"${feedId}","documentId":"${id}","externalId":${JSON.stringify(externalId)},"version":${version_},"changedAt":"${toInstant(changedAt)}","document":${isLive ? documentJson(row, withText) : "null"}}`;
}

function documentJson(row: ChangeRow, withText: boolean): string {
  const [, , , , , , , , , title, url, author, date, metadata, text] = row;
  const date_ = date === null ? "null" : `"${toInstant(date)}"`;
  const text_ = withText ? `,"text":${JSON.stringify(text)}` : "";
  return `{"title":${JSON.stringify(title)},"url":${JSON.stringify(url)},"author":${JSON.stringify(author)},"date":${date_},"metadata":${metadata ?? "{}"}${text_}}`;
}

/** `2026-06-14 09:00:00.123456+00`, as a UTC session spells it. */
const UTC = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?\+00$/;

/** RFC 3339 in UTC to the millisecond, as everywhere on the wire. */
export function toInstant(timestamptz: string): string {
  const match = UTC.exec(timestamptz);
  if (!match) return new Date(timestamptz).toISOString();
  const [, day, time, fraction = "."] = match;
  return `${day}T${time}${fraction.slice(0, 4).padEnd(4, "0")}Z`;
}
