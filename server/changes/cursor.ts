import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import { env } from "@/server/env";
import { AppError } from "@/server/errors";
import { deriveKey } from "@/server/vault/key-ring";
import type { ChangeFilter } from "./schema";

/**
 * The cursor of a walk through the change feed: opaque to clients, and theirs to keep; the server stores
 * none. 54 bytes as base64url, a length without padding bits, so that no two spellings mean the same:
 *
 *   version 1 · key id 4 · epoch 8 · seq 8 · snapshot bound 8 · filter 8 · HMAC-SHA-256 13 · CRC-32 4
 *
 * Epoch and filter are hashes. The HMAC covers the workspace too: no cursor is good in another one. The
 * checksum tells a cursor of a key that we do not have (a restored backup beside another secret: start
 * again, 410) from one that was damaged (400). Whoever forges it gains a 410.
 */

const VERSION = 1;
const MAC_AT = 37;
const MAC_BYTES = 13;
const CRC_AT = MAC_AT + MAC_BYTES;
const TOTAL_BYTES = CRC_AT + 4;
/** 54 bytes, three to four characters. */
const SPELLING = /^[A-Za-z0-9_-]{72}$/;

/** Where a walk stands: it has all changes up to `seq`. */
export type Position = {
  seq: bigint;
  /** The safe point at which a first walk began, until it has passed it. */
  snapshotBound: bigint | null;
};

export type CursorScope = { workspaceId: number; epoch: string; filter: ChangeFilter };

export function encodeCursor(scope: CursorScope, { seq, snapshotBound }: Position): string {
  const [{ id, key }] = signingKeys();
  const bytes = Buffer.alloc(TOTAL_BYTES);
  bytes.writeUInt8(VERSION, 0);
  bytes.writeUInt32BE(id, 1);
  hashOf(scope.epoch).copy(bytes, 5);
  bytes.writeBigUInt64BE(seq, 13);
  bytes.writeBigUInt64BE(snapshotBound ?? 0n, 21);
  filterHash(scope.filter).copy(bytes, 29);
  sign(key, scope.workspaceId, bytes).copy(bytes, MAC_AT);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, CRC_AT)), CRC_AT);
  return bytes.toString("base64url");
}

/** A cursor that this installation signed for this workspace and filter. Its epoch may be another one. */
export type OpenedCursor = Position & { isOfEpoch(epoch: string): boolean };

/**
 * @throws AppError cursor_invalid for what we never handed out in this workspace, cursor_filter_mismatch,
 *   and cursor_expired when it was signed with a key that is no longer known.
 */
export function openCursor(text: string, workspaceId: number, filter: ChangeFilter): OpenedCursor {
  if (!SPELLING.test(text)) throw invalid();
  const bytes = Buffer.from(text, "base64url");
  if (bytes.readUInt32BE(CRC_AT) !== crc32(bytes.subarray(0, CRC_AT))) throw invalid();
  if (bytes.readUInt8(0) !== VERSION) throw invalid();
  const keyId = bytes.readUInt32BE(1);
  const key = signingKeys().find((candidate) => candidate.id === keyId);
  if (!key) throw expired("epoch");
  if (!timingSafeEqual(sign(key.key, workspaceId, bytes), bytes.subarray(MAC_AT, CRC_AT))) throw invalid();
  if (!filterHash(filter).equals(bytes.subarray(29, MAC_AT))) {
    throw new AppError(
      "cursor_filter_mismatch",
      "This cursor belongs to a walk with another `sourceId` or `feedId`. Send the filter it began with, or begin a new walk without a cursor.",
    );
  }
  const bound = bytes.readBigUInt64BE(21);
  return {
    seq: bytes.readBigUInt64BE(13),
    snapshotBound: bound === 0n ? null : bound,
    isOfEpoch: (epoch) => hashOf(epoch).equals(bytes.subarray(5, 13)),
  };
}

export type ExpiryReason = "horizon" | "epoch" | "ahead";

const EXPLANATION: Record<ExpiryReason, string> = {
  horizon: "Deletes that this cursor has not seen were purged since.",
  epoch: "The change log was restored or moved since this cursor was handed out.",
  ahead: "This cursor is ahead of the change log, so the log was put back to an earlier state.",
};

/** Where a walk begins again. */
const RESTART = "/api/v1/changes";

export function expired(reason: ExpiryReason): AppError {
  return new AppError(
    "cursor_expired",
    `${EXPLANATION[reason]} Start again without a cursor, and remove what the new walk did not bring.`,
    { extra: { reason, restart: RESTART } },
  );
}

function invalid(): AppError {
  // Ingest has a code of the same name for a feed's cursor, with 422.
  return new AppError(
    "cursor_invalid",
    "This cursor was not handed out by this server for this workspace. Send it back as it was received, or begin without one.",
    { status: 400 },
  );
}

function sign(key: Buffer, workspaceId: number, bytes: Buffer): Buffer {
  return createHmac("sha256", key)
    .update(`${workspaceId}:`)
    .update(bytes.subarray(0, MAC_AT))
    .digest()
    .subarray(0, MAC_BYTES);
}

/** Source and feed only: what else a pull asks for may change on the way. */
function filterHash({ sourceId, feedId }: ChangeFilter): Buffer {
  return hashOf(`${sourceId ?? ""}\n${feedId ?? ""}`);
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest().subarray(0, 8);
}

type SigningKey = { id: number; key: Buffer };
const cache = new Map<string, SigningKey>();

/** The first signs, all of them are believed. */
function signingKeys(): [SigningKey, ...SigningKey[]] {
  const { TIDEMARK_SECRET, TIDEMARK_SECRET_PREVIOUS } = env();
  return [toSigningKey(TIDEMARK_SECRET), ...TIDEMARK_SECRET_PREVIOUS.map(toSigningKey)];
}

function toSigningKey(secret: string): SigningKey {
  let found = cache.get(secret);
  if (!found) {
    found = {
      id: deriveKey(secret, "change-cursor-id").readUInt32BE(0),
      key: deriveKey(secret, "change-cursor"),
    };
    cache.set(secret, found);
  }
  return found;
}
