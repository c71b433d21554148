import { orAbort } from "../http/abort.ts";

/**
 * The items of an iterable one by one. Ends with the signal's reason as soon as it is aborted, also while
 * the source is waiting for something that knows no signal.
 */
export async function* iterate<T>(
  items: Iterable<T> | AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  if (!(Symbol.asyncIterator in items)) {
    yield* items;
    return;
  }
  const iterator = items[Symbol.asyncIterator]();
  let mustClose = false;
  try {
    for (;;) {
      const next = await orAbort(iterator.next(), signal).catch((error) => {
        // An iterator that threw has ended; one that we stopped listening to has not.
        mustClose = signal?.aborted ?? false;
        throw error;
      });
      if (next.done) return;
      mustClose = true;
      yield next.value;
      mustClose = false;
    }
  } finally {
    if (mustClose) {
      const closed = Promise.resolve(iterator.return?.());
      // One that hangs closes when it wakes up; nobody waits for that.
      if (signal?.aborted) closed.catch(() => {});
      else await closed;
    }
  }
}
