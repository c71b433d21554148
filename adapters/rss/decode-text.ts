/**
 * Bytes → text, for feeds that declare their encoding wrongly, late or not at all.
 *
 * Order: byte order mark; the byte pattern of UTF-16/32 without one; charset of the Content-Type;
 * XML declaration; UTF-8. What does not decode strictly falls back to the declaration, then to
 * windows-1252, in which nothing is illegal. Never throws.
 */
export function decodeText(
  bytes: Uint8Array,
  contentType: string | undefined,
): { text: string; encoding: string } {
  const marked = decodeByMark(bytes);
  if (marked) return marked;

  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1024));
  const declared = /<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1];
  const fromHttp = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType ?? "")?.[1];

  const candidates = [fromHttp, declared, "utf-8"].flatMap((name) => canonical(name) ?? []);
  // A server's blanket Latin-1 never fails to decode. When the document itself says UTF-8 and is
  // UTF-8, the server is wrong.
  if (candidates[0] === "windows-1252" && canonical(declared) === "utf-8") candidates.unshift("utf-8");
  for (const encoding of candidates) {
    const text = decodeStrictly(bytes, encoding);
    if (text !== null) return { text, encoding };
  }
  return decodeBroken(bytes, canonical(declared));
}

function decodeByMark(bytes: Uint8Array): { text: string; encoding: string } | null {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return decodeLoosely(bytes.subarray(3), "utf-8");
  if (a === 0x00 && b === 0x00 && c === 0xfe && d === 0xff) return decodeUtf32(bytes.subarray(4), false);
  if (a === 0xff && b === 0xfe && c === 0x00 && d === 0x00) return decodeUtf32(bytes.subarray(4), true);
  if (a === 0xfe && b === 0xff) return decodeLoosely(bytes.subarray(2), "utf-16be");
  if (a === 0xff && b === 0xfe) return decodeLoosely(bytes.subarray(2), "utf-16le");
  // No mark, but "<" or "{" with zeros around it.
  const isOpening = (byte: number | undefined) => byte === 0x3c || byte === 0x7b;
  if (a === 0 && b === 0 && c === 0 && isOpening(d)) return decodeUtf32(bytes, false);
  if (isOpening(a) && b === 0 && c === 0 && d === 0) return decodeUtf32(bytes, true);
  if (a === 0 && isOpening(b)) return decodeLoosely(bytes, "utf-16be");
  if (isOpening(a) && b === 0) return decodeLoosely(bytes, "utf-16le");
  return null;
}

/** The encoding's own name, or null when this platform does not know it ("bogus"). */
function canonical(name: string | undefined): string | null {
  if (name === undefined) return null;
  try {
    const { encoding } = new TextDecoder(name);
    // Bytes that begin like ASCII are not UTF-16, whatever a declaration inside them says.
    return encoding.startsWith("utf-16") || encoding === "replacement" ? null : encoding;
  } catch {
    return null;
  }
}

function decodeStrictly(bytes: Uint8Array, encoding: string): string | null {
  if (encoding === "windows-1252") return decodeWindows1252(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function decodeLoosely(bytes: Uint8Array, encoding: string): { text: string; encoding: string } {
  if (encoding === "windows-1252") return { text: decodeWindows1252(bytes), encoding };
  return { text: new TextDecoder(encoding).decode(bytes), encoding };
}

/** 0x80–0x9f of windows-1252; the five unassigned bytes stay control characters. */
const WINDOWS_1252 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/** By hand: several Node releases decode windows-1252 as plain Latin-1, losing quotes and dashes. */
function decodeWindows1252(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return text.replace(/[\x80-\x9f]/g, (char) => WINDOWS_1252[char.charCodeAt(0) - 0x80] ?? char);
}

/** Nothing decodes strictly: the least damaging reading wins. */
function decodeBroken(bytes: Uint8Array, declared: string | null): { text: string; encoding: string } {
  const utf8 = decodeLoosely(bytes, "utf-8");
  const broken = count(utf8.text, /\uFFFD/g);
  const intact = count(utf8.text, /[^\0-\x7f\uFFFD]/g);
  // One torn character in a document full of good ones is no reason to garble them all.
  if (intact > broken * 4) return utf8;
  if (declared && declared !== "utf-8") return decodeLoosely(bytes, declared);
  return guessJapanese(bytes) ?? decodeLoosely(bytes, "windows-1252");
}

/** Japanese without any declaration still exists; kana in quantity are proof enough. */
function guessJapanese(bytes: Uint8Array): { text: string; encoding: string } | null {
  for (const encoding of ["euc-jp", "shift_jis"]) {
    const text = decodeStrictly(bytes, encoding);
    if (text === null) continue;
    const foreign = count(text, /[^\0-\x7f]/g);
    if (foreign > 3 && count(text, /[\u3041-\u30ff]/g) > foreign * 0.3) return { text, encoding };
  }
  return null;
}

/** TextDecoder does not know UTF-32. */
function decodeUtf32(bytes: Uint8Array, littleEndian: boolean): { text: string; encoding: string } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  for (let at = 0; at + 4 <= bytes.byteLength; at += 4) {
    const point = view.getUint32(at, littleEndian);
    const legal = point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
    parts.push(legal ? String.fromCodePoint(point) : "\uFFFD");
  }
  return { text: parts.join(""), encoding: littleEndian ? "utf-32le" : "utf-32be" };
}

function count(text: string, pattern: RegExp): number {
  let total = 0;
  for (const _ of text.matchAll(pattern)) total++;
  return total;
}
