type DocumentColumns = [
  title: string | null,
  url: string | null,
  author: string | null,
  date: string | null,
  /** JSON. */
  metadata: string | null,
  /** JSON. */
  text: string | null,
];

/** A row of read_changes(); all of it text, as the database sends it. */
export type ChangeRow = [
  head: null,
  seq: string,
  state: string,
  sourceId: string,
  feedId: string,
  documentId: string,
  externalId: string,
  version: string | null,
  changedAt: string,
  ...DocumentColumns,
];

/**
 * A change as it is sent. By hand, because half of it is JSON already: taking that apart to put it together again
 * would cost more than all the rest.
 */
export function changeJson(row: ChangeRow, withText: boolean): string {
  const [, seq, state, sourceId, feedId, documentId, externalId, version, changedAt, ...document] = row;
  // Our own ids need no escaping; what came from outside gets it.
  const place = `","sourceId":"${sourceId}","feedId":"${feedId}","documentId":"${documentId}"`;
  const what = `"externalId":${JSON.stringify(externalId)},"version":${JSON.stringify(version)}`;
  const when = `"changedAt":"${wireInstant(changedAt)}"`;
  return state === "live"
    ? `{"seq":"${seq}","op":"upsert${place},${what},${when},"document":${documentJson(document, withText)}}`
    : `{"seq":"${seq}","op":"delete${place},${what},${when},"document":null}`;
}

function documentJson(
  [title, url, author, date, metadata, text]: DocumentColumns,
  withText: boolean,
): string {
  const known =
    `{"title":${JSON.stringify(title)},"url":${JSON.stringify(url)},"author":${JSON.stringify(author)},` +
    `"date":${date === null ? "null" : `"${wireInstant(date)}"`},"metadata":${metadata ?? "{}"}`;
  return withText ? `${known},"text":${text ?? "null"}}` : `${known}}`;
}

/** `2026-11-30 17:44:44.12+00` as RFC 3339 to the millisecond, as everywhere on the wire. */
function wireInstant(instant: string): string {
  const fraction = instant[19] === "." ? instant.slice(20, -3) : "";
  return `${instant.slice(0, 10)}T${instant.slice(11, 19)}.${fraction.slice(0, 3).padEnd(3, "0")}Z`;
}

export function seqOf([, seq]: ChangeRow): bigint {
  return BigInt(seq);
}

/** @returns milliseconds since 1970. */
export function changedAtOf(row: ChangeRow): number {
  return Date.parse(wireInstant(row[8]));
}
