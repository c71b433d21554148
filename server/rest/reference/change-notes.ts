import type { Notes } from "./notes";

export const changeNotes: Record<string, Notes> = {
  "get /changes": {
    about:
      "`wait` is in seconds, 0 to 55. A page of large documents ends early, at 8 MiB. Waiting requests have seats of their own: 2,000 a process, half of them for one token. docs/following-changes.md tells the whole protocol.",
    errors: ["cursor_invalid", "cursor_filter_mismatch", "cursor_expired", "not_found", "feed_not_found"],
    example: { query: { limit: "2", text: "true" }, status: 200 },
  },
  "get /changes/stream": {
    about: "A comment every 15 seconds shows that it is alive.",
    errors: ["cursor_invalid", "cursor_filter_mismatch", "not_found", "feed_not_found"],
    example: { query: { limit: "2" }, status: 200 },
  },
  "get /changes/head": {
    about: '`cursor` follows from here on, without a filter. Numbers are 64-bit, as strings; "0" when empty.',
    example: { status: 200 },
  },
};
