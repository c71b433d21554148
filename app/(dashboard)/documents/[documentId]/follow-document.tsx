"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { CALM_MS } from "@/app/(dashboard)/_lib/polling";
import { useTRPC } from "@/trpc/client";
import { usePolling } from "@/trpc/use-live";

/**
 * Draws the page again when the document changed. Its text is cleaned on the server, so the server
 * draws it; here only its place in the change feed is watched.
 */
export function FollowDocument({ documentId, seq }: { documentId: string; seq: string }) {
  const trpc = useTRPC();
  const router = useRouter();
  const poll = usePolling();
  const { data: current } = useQuery(
    trpc.documents.get.queryOptions(
      { documentId },
      { refetchInterval: () => poll(CALM_MS), select: (document) => document.seq },
    ),
  );
  useEffect(() => {
    if (current !== undefined && BigInt(current) > BigInt(seq)) router.refresh();
  }, [current, seq, router]);
  return null;
}
