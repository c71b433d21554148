/** A LIKE pattern for texts that contain `text`, whatever signs are in it. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
