import type { Expectation } from "./check-operation";
import type { Ids } from "./foreign-workspace";

type Row = Expectation & { input?: (ids: Ids) => unknown };

const found = (scope: Row["scope"], input?: Row["input"]): Row => ({ scope, ok: 200, foreign: 200, input });
const byId = (scope: Row["scope"], input: Row["input"]): Row => ({ scope, ok: 404, foreign: 404, input });

const source = ({ sourceId }: Ids) => ({ sourceId });
const feed = ({ feedId }: Ids) => ({ feedId });
const run = ({ runId }: Ids) => ({ runId });
const hold = ({ feedId, holdId }: Ids) => ({ feedId, holdId });
const webhook = ({ webhookId }: Ids) => ({ webhookId });
const delivery = ({ webhookId, deliveryId }: Ids) => ({ webhookId, deliveryId });
const person = ({ userId }: Ids) => ({ userId });
const nothing = () => ({});

/** What each procedure needs and answers. A procedure without a row fails the test. */
export const TRPC_ROWS: Record<string, Row> = {
  "setup.status": found("public"),
  "setup.createOwner": { scope: "public", ok: 409, foreign: 409, input: () => OWNER },
  "workspace.current": found("anyone known"),
  "workspace.settings": found("changes:read"),
  "workspace.updateSettings": found("admin", () => ({ retentionDays: 30 })),
  "workspace.rename": { ...found("admin", () => ({ name: "Matrix" })), only: "owners" },
  "adapters.list": found("sources:read"),

  "people.list": { ...found("sources:read"), only: "people" },
  "people.changeRole": { ...byId("admin", (ids) => ({ ...person(ids), role: "viewer" })), only: "people" },
  "people.remove": { ...byId("admin", person), only: "people" },
  "people.invite": {
    ...found("admin", () => ({ email: "invited@example.org", role: "viewer" })),
    only: "people",
  },
  "people.withdrawInvitation": {
    ...byId("admin", ({ invitationId }) => ({ invitationId })),
    only: "people",
  },
  "people.acceptInvitation": {
    scope: "public",
    ok: 404,
    foreign: 404,
    input: () => ({ token: `1-${"a".repeat(43)}`, name: "X", password: "long enough" }),
  },
  "account.rename": { ...found("sources:read", () => ({ name: "Matrix" })), only: "people" },
  // Their accounts have no password, so none is the right one.
  "account.changePassword": {
    ...found("sources:read", () => ({ currentPassword: "x", newPassword: "long enough" })),
    ok: 422,
    foreign: 422,
    only: "people",
  },

  "sources.list": found("sources:read", nothing),
  "sources.matching": found("sources:read", nothing),
  "sources.get": byId("sources:read", source),
  "sources.create": found("sources:write", () => ({ type: "api", name: "Matrix", key: "matrix" })),
  "sources.update": byId("sources:write", (ids) => ({ ...source(ids), name: "x" })),
  "sources.delete": byId("sources:write", source),
  "sources.pause": byId("sources:write", source),
  "sources.resume": byId("sources:write", source),
  "sources.sync": byId("runs:write", source),
  "sources.lookForFeeds": byId("sources:write", source),
  "sources.bulk": found("sources:write", ({ sourceId }) => ({ sourceIds: [sourceId], action: "pause" })),
  // Neither may ask anybody else's server here, so they are asked about a type that nobody has.
  "sources.discover": {
    ...found("sources:write", () => ({ type: "none", input: "x" })),
    ok: 422,
    foreign: 422,
  },
  "sources.check": {
    ...found("sources:write", () => ({ type: "none", externalKey: "x" })),
    ok: 422,
    foreign: 422,
  },

  "feeds.list": found("sources:read", nothing),
  "feeds.matching": found("sources:read", nothing),
  "feeds.history": found("sources:read", ({ feedId }) => ({ feedIds: [feedId] })),
  "feeds.get": byId("sources:read", feed),
  "feeds.add": byId("sources:write", (ids) => ({ ...source(ids), externalKey: "mine" })),
  "feeds.update": byId("sources:write", (ids) => ({ ...feed(ids), name: "x" })),
  "feeds.checkMove": byId("sources:write", (ids) => ({ ...feed(ids), externalKey: "https://x.example" })),
  "feeds.move": byId("sources:write", (ids) => ({
    ...feed(ids),
    externalKey: "https://x.example",
    position: "keep",
  })),
  "feeds.delete": byId("sources:write", feed),
  "feeds.pause": byId("sources:write", feed),
  "feeds.resume": byId("sources:write", feed),
  "feeds.sync": byId("runs:write", feed),
  "feeds.bulk": found("sources:write", ({ feedId }) => ({ feedIds: [feedId], action: "pause" })),
  "feeds.reset": byId("sources:write", (ids) => ({ ...feed(ids), to: null, reason: "curious" })),
  "feeds.transitions": byId("sources:read", feed),
  "feeds.heldDeletes": byId("sources:read", feed),
  "feeds.heldItems": byId("sources:read", hold),
  "feeds.approveHeldDelete": byId("admin", hold),
  "feeds.dismissHeldDelete": byId("admin", hold),
  "feeds.rejections": found("documents:read", nothing),
  "feeds.matchingRejections": found("documents:read", nothing),
  "feeds.retryRejection": byId("documents:write", ({ feedId, rejectionId }) => ({ feedId, rejectionId })),
  "feeds.retryRejections": found("documents:write", ({ feedId, rejectionId }) => ({
    rejections: [{ feedId, rejectionId }],
  })),
  "feeds.discardRejections": found("documents:write", ({ feedId, rejectionId }) => ({
    rejections: [{ feedId, rejectionId }],
  })),

  "documents.list": found("documents:read", nothing),
  "documents.get": byId("documents:read", ({ documentId }) => ({ documentId })),
  "changes.status": found("changes:read"),
  "changes.head": found("changes:read"),
  "changes.pull": found("changes:read", nothing),
  "changes.consumers": found("changes:read"),
  "changes.retentionEffect": found("admin", () => ({ days: 30 })),
  "changes.deleteConsumer": byId("sources:write", () => ({ name: "of-another-workspace" })),
  "changes.tail": found("changes:read"),
  "live.events": found("sources:read"),

  "runs.list": found("runs:read", nothing),
  "runs.get": byId("runs:read", run),
  "runs.start": byId("runs:write", feed),
  "runs.heartbeat": byId("runs:write", run),
  "runs.restart": byId("runs:write", (ids) => ({ ...run(ids), reason: "x" })),
  "runs.finish": byId("runs:write", (ids) => ({ ...run(ids), status: "failed" })),
  "ingest.documents": byId("documents:write", (ids) => ({ ...feed(ids), documents: [{ id: "b" }] })),

  "tokens.list": found("admin"),
  // Nobody hands out more than they have; this one has `admin` in every row that may.
  "tokens.create": { ...found("admin", () => ({ name: "more", scopes: ["admin"] })), only: "people" },
  "tokens.revoke": byId("admin", ({ tokenId }) => ({ tokenId })),
  "tokens.revokeMany": found("admin", ({ tokenId }) => ({ tokenIds: [tokenId] })),
  "webhooks.list": found("admin"),
  "webhooks.get": byId("admin", webhook),
  "webhooks.create": found("admin", () => ({ url: "https://hooks.example.org/x", events: ["run.failed"] })),
  "webhooks.update": byId("admin", (ids) => ({ ...webhook(ids), description: "x" })),
  "webhooks.delete": byId("admin", webhook),
  "webhooks.rotate": byId("admin", webhook),
  "webhooks.test": byId("admin", webhook),
  "webhooks.deliveries": byId("admin", webhook),
  "webhooks.delivery": byId("admin", delivery),
  "webhooks.resend": byId("admin", delivery),

  "overview.get": found("runs:read"),
  "overview.charts": found("runs:read"),
  "opml.preview": found("sources:write", () => ({
    base64: Buffer.from('<opml version="2.0"><body/></opml>').toString("base64"),
  })),
  "opml.import": found("sources:write", () => ({ feeds: [{ url: "not an address" }] })),
};

const OWNER = { email: "x@example.org", password: "long enough", name: "X", workspaceName: "X" };
