import type { Adapter, Page, SyncContext } from "../adapter.ts";
import { orAbort } from "../http/abort.ts";
import { iterate } from "../push/iterate.ts";
import { AdapterThrew } from "./explain-failure.ts";

/**
 * One page or many, the same to whoever reads them. Ends as soon as the context's signal is aborted, also
 * when the adapter knows no signal.
 *
 * @throws AdapterThrew with what the adapter threw; the signal's reason.
 */
export async function* readPages(adapter: Adapter, ctx: SyncContext): AsyncGenerator<Page, void, undefined> {
  const { signal } = ctx;
  try {
    const result = adapter.sync(ctx);
    if (Symbol.asyncIterator in result) yield* iterate(result, signal);
    else yield await orAbort(result, signal);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new AdapterThrew("the adapter failed", { cause: error });
  }
}
