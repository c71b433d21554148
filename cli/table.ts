/** Columns of equal width, two spaces apart; control characters could steer the terminal and are dropped. */
export function formatTable(head: string[], rows: string[][]): string {
  const clean = [head, ...rows].map((row) => row.map((cell) => cell.replace(/\p{Cc}/gu, "")));
  const widths = head.map((_, column) => Math.max(...clean.map((row) => row[column]?.length ?? 0)));
  return clean
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
