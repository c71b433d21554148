import type { Notes } from "./notes";

export const documentNotes: Record<string, Notes> = {
  "post /feeds/{feedId}/documents": {
    about:
      "At most 50 documents and 8 MiB; text up to 1 MiB of UTF-8, metadata up to 64 KiB, ids up to 8,192 bytes. A bad item is refused alone, in `documentsRejected`; indexed + skipped + deleted + rejected = sent. `cursorBefore` is what you read at the beginning, null for none, absent for no check. A paused feed takes pushes too. docs/ingest.md has the table that decides the cursor.",
    errors: ["too_many_documents", "cursor_invalid", "feed_disabled", "feed_deleting", "run_fenced"],
    example: {
      body: {
        cursor: "2026-06-15T09:00:00Z",
        cursorBefore: "2026-06-14T09:00:00Z",
        documents: [
          {
            id: "a-18",
            version: "1",
            title: "Flood",
            text: "The sea came back.",
            date: "2026-06-15T08:59:00Z",
          },
          { id: "a-17", version: "3", title: "Ebb", text: "The sea went out." },
          { id: "a-05", version: "2", deleted: true },
        ],
      },
      status: 200,
    },
  },
  "get /feeds/{feedId}/documents": {
    about:
      "By `seq`, the oldest change first; `order=newest` turns it round. `date` is the upstream's, `changedAt` ours.",
    example: { query: { limit: "50" }, status: 200 },
  },
  "get /feeds/{feedId}/documents/by-external-id": {
    about: "Exactly that id, percent-encoded in the query; ids may be 8 KiB long.",
    errors: ["not_found", "document_deleted"],
    example: { query: { id: "a-17" }, status: 200 },
  },
  "get /documents/{documentId}": { example: { status: 200 } },
  "get /feeds/{feedId}/rejections": {
    about: "`payload` is what was sent, cut at 64 KiB. `occurrences` counts how often it came.",
    example: { status: 200 },
  },
  "post /feeds/{feedId}/rejections/{rejectionId}/retry": {
    about:
      "Accepted, it leaves the list. What could not be kept whole needs `document`: else `invalid_request`.",
    errors: ["feed_disabled", "feed_deleting"],
    example: { body: { document: { id: "a-19", title: "Slack water" } }, status: 200 },
  },
};
