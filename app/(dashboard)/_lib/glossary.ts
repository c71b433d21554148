/** The field's words, each in one sentence a newcomer understands. */
export const GLOSSARY = {
  source:
    "A connected thing: a site, an account, or a program of yours that pushes. It has one or more feeds.",
  feed: "One publication, channel, folder or calendar inside a source. It has its own cursor, schedule and documents.",
  document: "One item of a feed. There is exactly one current version of it here.",
  cursor: "How far this feed has been read. It never moves back by itself; only a reset moves it back.",
  watermark:
    "What a cursor means: a date, the highest id seen, a token the upstream hands out, or nothing at all.",
  run: "One attempt to bring one feed up to date. Every run is kept here as the audit record.",
  tombstone:
    "A document that was deleted upstream. Its id and version are kept, its content is gone, and every client that follows the change feed is told.",
  changeFeed: "The ordered list of every change, which clients follow with a cursor of their own.",
  followerCursor: "What a program stores to go on where it was: everything before it has been received.",
  head: "The latest change that was stored.",
  safePoint:
    "Up to here clients are sent changes: nothing below it can still appear, so whoever stands here has missed nothing.",
  horizon:
    "Deletes up to here are no longer told. A client whose cursor lies below it has to start again from nothing.",
  epoch:
    "This life of the change feed. It changes when the store was put back to an earlier state; every older cursor expires then.",
  consumer: "A program that follows the change feed and gives a name with its requests.",
  seq: "The position of this document's latest change in the change feed. It only grows.",
  executor: "Who ran it: this server (cloud), an agent on someone's machine, or a program through the API.",
  trigger: "What started it: the schedule, a person, a program, a webhook, or the server's start.",
  heldDelete:
    "A complete listing no longer contained many documents. Before they are deleted, a person has to say so.",
  rejection:
    "An item the upstream sent that could not be stored. The others of its page were stored all the same.",
  externalKey: "How the upstream names this feed, for most sources its URL.",
  scope: "One thing a token may do. Give a program only what it needs.",
  sweep: "After a complete listing, documents that it did not contain are deleted here too.",
  conflict: "Someone else moved the cursor between this writer's reading and its writing. Nothing was lost.",
} as const;

export type TermName = keyof typeof GLOSSARY;
