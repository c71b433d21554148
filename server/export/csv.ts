/** A cell's value; null is an empty cell. */
export type Cell = string | number | boolean | null | undefined;

/**
 * One line of RFC 4180, with its line break. Texts that a spreadsheet would take for a formula are kept
 * from it by an apostrophe: they come from other people's sites.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: Cell): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return String(value);
  // Behind spaces and quotes too; a tab or a line break may begin a cell of its own.
  const safe = /^[\s"']*[=+\-@\t\r]/.test(value) || /^[\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}
