/** What a failed call says, in the words the server chose. */
export type ReadableError = {
  message: string;
  /** The product's stable code, or null when the server was not reached. */
  code: string | null;
  requestId: string | null;
  fields: { path: string; message: string }[];
};

/** Reads any thrown value; tRPC's errors carry `appCode`, `fields` and `requestId`. */
export function readError(error: unknown): ReadableError {
  const data = (error as { data?: unknown } | null)?.data as
    | { appCode?: unknown; requestId?: unknown; fields?: unknown }
    | null
    | undefined;
  if (!data) {
    return {
      message: "The server could not be reached. Check that it runs and that you are online, then try again.",
      code: null,
      requestId: null,
      fields: [],
    };
  }
  return {
    message: error instanceof Error ? error.message : "Something went wrong.",
    code: typeof data.appCode === "string" ? data.appCode : null,
    requestId: typeof data.requestId === "string" ? data.requestId : null,
    fields: Array.isArray(data.fields) ? (data.fields as ReadableError["fields"]) : [],
  };
}

/** The message for one form field, or null. */
export function fieldError(error: unknown, path: string): string | null {
  if (!error) return null;
  return readError(error).fields.find((field) => field.path === path)?.message ?? null;
}
