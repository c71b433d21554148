import type { GraphqlOperation } from "./schema";

/** Ids to put in; those that are left out are ids that nobody has. */
export type ExampleIds = { src?: string; feed?: string; doc?: string; run?: string };

type Ids = Required<ExampleIds>;

const NOBODYS: Ids = {
  src: "src_01jz0000000000000000000000",
  feed: "feed_01jz0000000000000000000000",
  doc: "doc_01jz0000000000000000000000",
  run: "run_01jz0000000000000000000000",
};

const EXAMPLES: Record<string, (ids: Ids) => string> = {
  source: ({ src }) => `source(id: "${src}") { id name status }`,
  sources: () => "sources(limit: 10) { items { id name } nextAfter }",
  feed: ({ feed }) => `feed(id: "${feed}") { id cursor status error { message } }`,
  feeds: ({ src }) => `feeds(sourceId: "${src}", limit: 10) { items { id externalKey cursor } nextAfter }`,
  cursorTransitions: ({ feed }) =>
    `cursorTransitions(feedId: "${feed}") { items { id from to outcome conflict at } nextAfter }`,
  rejections: ({ feed }) =>
    `rejections(feedId: "${feed}") { items { id externalId code message } nextAfter }`,
  document: ({ doc }) => `document(id: "${doc}") { id externalId title text deleted }`,
  documentByExternalId: ({ feed }) => `documentByExternalId(feedId: "${feed}", externalId: "a") { id text }`,
  documents: ({ feed }) =>
    `documents(feedId: "${feed}", limit: 10) { items { id externalId seq } nextAfter }`,
  syncRun: ({ run }) => `syncRun(id: "${run}") { id status events { at message } }`,
  syncRuns: ({ feed }) => `syncRuns(feedId: "${feed}", status: succeeded) { items { id status } nextAfter }`,
  changes: ({ feed }) =>
    `changes(feedId: "${feed}", limit: 10) { changes { seq op externalId document { title } } cursor hasMore }`,
  changeHead: () => "changeHead { head safePoint horizon epoch cursor }",
  createSource: () => 'createSource(type: "api", name: "Notes", key: "notes") { id key }',
  addFeed: ({ src }) => `addFeed(sourceId: "${src}", externalKey: "default", watermark: date) { id cursor }`,
  ingestDocuments: ({ feed }) =>
    `ingestDocuments(feedId: "${feed}", documents: [{ id: "a", text: "Ebb" }]) { documentsIndexed cursor }`,
  startSyncRun: ({ feed }) => `startSyncRun(feedId: "${feed}") { runId leaseExpiresAt cursor }`,
  heartbeatSyncRun: ({ run }) => `heartbeatSyncRun(runId: "${run}") { leaseExpiresAt }`,
  restartSyncRun: ({ run }) => `restartSyncRun(runId: "${run}", reason: "cursor forgotten") { cursor }`,
  finishSyncRun: ({ run }) => `finishSyncRun(runId: "${run}", status: succeeded) { id status }`,
  resetFeed: ({ feed }) => `resetFeed(feedId: "${feed}", to: null, reason: "again", dryRun: true) { effect }`,
};

/**
 * A valid call of an operation, for tests that go through all of them.
 *
 * @throws Error for an operation without an example: a new one must get one, and with it those tests.
 */
export function exampleOf({ kind, name }: GraphqlOperation, ids: ExampleIds = {}): string {
  const example = EXAMPLES[name];
  if (!example) throw new Error(`Write an example of ${kind} ${name} in example-operations.ts`);
  return `${kind} { ${example({ ...NOBODYS, ...ids })} }`;
}
