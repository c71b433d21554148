/**
 * Waits, or throws the signal's reason at once when it is aborted.
 *
 * @param ms Milliseconds.
 */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout>;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return orAbort(elapsed, signal).finally(() => clearTimeout(timer));
}

/**
 * What the promise gives, or the signal's reason as soon as it is aborted: the promise is then left alone,
 * since nothing can be made to end that does not know the signal.
 */
export function orAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    // Removed again: a signal often lives as long as the program, and listeners would pile up on it.
    else signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
