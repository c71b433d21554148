/** One page of a change feed, by whoever serves it. */
export type Page = { count: number; next: string | null; hasMore: boolean };
export type Pull = (after: string | null) => Promise<Page>;

export type Walked = { changes: number; pages: number; seconds: number };

/** Walks from the beginning over and over until the time is up; a page begun is finished. */
export async function walk(pull: Pull, limitMs: number): Promise<Walked> {
  let after: string | null = null;
  let changes = 0;
  let pages = 0;
  const began = performance.now();
  while (performance.now() - began < limitMs) {
    const page: Page = await pull(after);
    changes += page.count;
    pages += 1;
    after = page.hasMore ? page.next : null;
  }
  return { changes, pages, seconds: (performance.now() - began) / 1000 };
}

export function add(one: Walked | undefined, other: Walked): Walked {
  if (!one) return other;
  return {
    changes: one.changes + other.changes,
    pages: one.pages + other.pages,
    seconds: one.seconds + other.seconds,
  };
}
