import type { Db } from "@/server/db";

/** A handle on the same database that counts the queries asked through it. */
export function countingDb(db: Db): { db: Db; queries: () => number } {
  let queries = 0;
  const wrap = (value: unknown, owner: object): unknown => {
    if (typeof value === "function") {
      return (...args: unknown[]) => {
        queries += 1;
        return Reflect.apply(value, owner, args);
      };
    }
    if (typeof value !== "object" || value === null) return value;
    return new Proxy(value, { get: (target, name) => wrap(Reflect.get(target, name), target) });
  };
  const counted = new Proxy(db, { get: (target, name) => wrap(Reflect.get(target, name), target) });
  return { db: counted, queries: () => queries };
}
