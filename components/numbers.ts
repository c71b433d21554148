const plain = new Intl.NumberFormat("en");
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** "1,204". */
export function formatCount(count: number): string {
  return plain.format(count);
}

/** "1,204" up to five digits, "1.2M" above; the exact number belongs in a title. */
export function roundCount(count: number): string {
  return Math.abs(count) < 100_000 ? plain.format(count) : compact.format(count);
}

/** "3 documents", "1 document". */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${plain.format(count)} ${count === 1 ? singular : plural}`;
}

/** "812 B", "14.2 kB", "3.1 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
