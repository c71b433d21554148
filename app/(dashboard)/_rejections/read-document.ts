/** The edited text as a document, or why it is none. Whether it can be stored the server says. */
export function readDocument(
  text: string,
): { ok: true; document: Record<string, unknown> } | { ok: false; message: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, message: `This is not JSON: ${(error as Error).message}` };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { ok: false, message: "A document is a JSON object, in braces." };
  }
  return { ok: true, document: value as Record<string, unknown> };
}
