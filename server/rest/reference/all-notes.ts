import { changeNotes } from "./change-notes";
import { documentNotes } from "./document-notes";
import { feedNotes } from "./feed-notes";
import type { Notes } from "./notes";
import { runNotes } from "./run-notes";
import { sourceNotes } from "./source-notes";
import { webhookNotes } from "./webhook-notes";

/** By method and path, as in `get /sources`. examples.test.ts fails for a route that is missing here. */
export const notes: Readonly<Record<string, Notes | undefined>> = {
  ...sourceNotes,
  ...feedNotes,
  ...documentNotes,
  ...runNotes,
  ...changeNotes,
  ...webhookNotes,
};
