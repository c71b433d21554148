import type { Metadata } from "next";
import { prefetch } from "@/app/(dashboard)/_lib/prefetch";
import { requireViewer } from "@/app/(dashboard)/_lib/require-viewer";
import { TokensView } from "@/app/(dashboard)/tokens/tokens-view";
import { HydrateClient, trpc } from "@/trpc/server";

export const metadata: Metadata = { title: "API" };

export default async function TokensPage() {
  const viewer = await requireViewer("/tokens");
  if (viewer.canAdmin) await prefetch(trpc.tokens.list.queryOptions());
  return (
    <HydrateClient>
      <TokensView />
    </HydrateClient>
  );
}
