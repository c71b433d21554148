import type { Metadata } from "next";
import { fetchOrNotFound } from "@/app/(dashboard)/_lib/prefetch";
import { readViewer, requireViewer } from "@/app/(dashboard)/_lib/require-viewer";
import { RunView } from "@/app/(dashboard)/runs/[runId]/run-view";
import { HydrateClient, trpc } from "@/trpc/server";

type Props = { params: Promise<{ runId: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { runId } = await params;
  if (!(await readViewer())) return {};
  const run = await fetchOrNotFound(trpc.runs.get.queryOptions({ runId }));
  return { title: `Run of ${run.feedName ?? "a deleted feed"}` };
}

export default async function RunPage({ params }: Props) {
  const { runId } = await params;
  await requireViewer(`/runs/${encodeURIComponent(runId)}`);
  await fetchOrNotFound(trpc.runs.get.queryOptions({ runId }));
  return (
    <HydrateClient>
      <RunView runId={runId} />
    </HydrateClient>
  );
}
