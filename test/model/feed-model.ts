/**
 * The change feed's reference model, transcribed: no database, no cursors on the wire. Where the product
 * says more than the reference it is marked *rule*.
 */

export type ModelChange = { seq: bigint; key: string; feed: string; isDelete: boolean };

export type ModelPlace = { epoch: number; after: bigint; firstBound: bigint | null };

export type ModelPull =
  | { expired: "epoch" | "horizon" }
  | { changes: ModelChange[]; hasMore: boolean; next: ModelPlace };

export class FeedModel {
  epoch = 1;
  horizon = 0n;
  private readonly bySeq = new Map<bigint, ModelChange>();
  private readonly seqOf = new Map<string, bigint>();
  private readonly pending = new Set<bigint>();

  /** @param next the first seq that will be reserved. */
  constructor(private next: bigint) {}

  begin(): bigint {
    const seq = this.next;
    this.next += 1n;
    this.pending.add(seq);
    return seq;
  }

  commit(change: ModelChange): void {
    this.pending.delete(change.seq);
    const older = this.seqOf.get(change.key);
    if (older !== undefined) this.bySeq.delete(older);
    this.bySeq.set(change.seq, change);
    this.seqOf.set(change.key, change.seq);
  }

  rollback(seq: bigint): void {
    this.pending.delete(seq);
  }

  get safePoint(): bigint {
    const lowest = [...this.pending].reduce<bigint | null>(
      (least, seq) => (least === null || seq < least ? seq : least),
      null,
    );
    return (lowest ?? this.next) - 1n;
  }

  /** Would a purge up to here take this key's row? */
  isPurged(key: string, upto: bigint): boolean {
    const change = this.bySeq.get(this.seqOf.get(key) ?? -1n);
    return change?.isDelete === true && change.seq <= upto;
  }

  /** Seqs of tombstones that purge may take. */
  get purgeable(): bigint[] {
    return this.ordered
      .filter(({ isDelete, seq }) => isDelete && seq <= this.safePoint)
      .map(({ seq }) => seq);
  }

  gc(upto: bigint): void {
    if (upto > this.horizon) this.horizon = upto;
    for (const { seq, key, isDelete } of this.ordered) {
      if (!isDelete || seq > upto) continue;
      this.bySeq.delete(seq);
      this.seqOf.delete(key);
    }
  }

  pull(place: ModelPlace | null, limit: number, feed: string | null): ModelPull {
    const safe = this.safePoint;
    // *rule* Only a committed seq is handed out.
    const position = this.ordered.filter(({ seq }) => seq <= safe).at(-1)?.seq ?? 0n;
    const after = place?.after ?? 0n;
    const firstBound = place === null ? position : place.firstBound;
    if (place && place.epoch !== this.epoch) return { expired: "epoch" };
    // *rule* A first walk does not expire by what was purged while it was under way.
    if (place && maxOf(after, firstBound ?? 0n) < this.horizon) return { expired: "horizon" };
    const found = this.ordered.filter(
      (change) =>
        change.seq > after &&
        change.seq <= safe &&
        (feed === null || change.feed === feed) &&
        // *rule* A first walk leaves out the tombstones of before its start.
        !(change.isDelete && firstBound !== null && change.seq <= firstBound),
    );
    const changes = found.slice(0, limit);
    const hasMore = found.length > limit;
    const last = changes.at(-1)?.seq ?? after;
    const next: ModelPlace = hasMore
      ? {
          epoch: this.epoch,
          after: last,
          firstBound: firstBound !== null && firstBound > last ? firstBound : null,
        }
      : { epoch: this.epoch, after: maxOf(after, maxOf(this.horizon, position)), firstBound: null };
    return { changes, hasMore, next };
  }

  private get ordered(): ModelChange[] {
    return [...this.bySeq.values()].sort((a, b) => (a.seq < b.seq ? -1 : 1));
  }
}

function maxOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
