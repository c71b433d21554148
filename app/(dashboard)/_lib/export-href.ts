/** Where a list can be had as CSV, with the filters and the order it has on the page. */
export function exportHref(list: string, input: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    if (name === "after" || name === "before" || name === "limit") continue;
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  const text = query.toString();
  return `/api/export/${list}${text ? `?${text}` : ""}`;
}
