/** Joins class names, leaving out what is false, null or undefined. */
export function classNames(...parts: (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(" ");
}
