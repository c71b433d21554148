"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { readError } from "@/app/_shared/read-error";
import type { Outputs } from "@/app/(dashboard)/_lib/types";
import { useRefresh } from "@/app/(dashboard)/_lib/use-refresh";
import { type Basic, SITE_TYPE } from "@/app/(dashboard)/sources/new/connect-site";
import { useTRPC } from "@/trpc/client";

export type Found = Outputs["sources"]["discover"]["feeds"][number];
export type Check = { state: "testing" | "ok" | "failed"; message: string };

/**
 * Tests each feed, creates the source with all of them, starts their first sync and says where to go:
 * to the feed when it is one, else to the source. A failed test stops before anything is saved.
 */
export function useConnect(credentials: Basic | undefined, onConnected: (href: string) => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const refresh = useRefresh();
  const [checks, setChecks] = useState<Record<string, Check>>({});
  const [stage, setStage] = useState("");
  const check = useMutation(trpc.sources.check.mutationOptions());
  const create = useMutation(trpc.sources.create.mutationOptions());
  const sync = useMutation(trpc.sources.sync.mutationOptions());

  async function test(feed: Found): Promise<boolean> {
    const mark = (result: Check) => setChecks((known) => ({ ...known, [feed.externalKey]: result }));
    mark({ state: "testing", message: "Testing the connection" });
    try {
      const answer = await check.mutateAsync({ type: SITE_TYPE, externalKey: feed.externalKey, credentials });
      mark({ state: "ok", message: answer.message });
      return true;
    } catch (error) {
      mark({ state: "failed", message: readError(error).message });
      return false;
    }
  }

  const connect = useMutation({
    async mutationFn({ name, feeds, skipCheck }: { name: string; feeds: Found[]; skipCheck: boolean }) {
      if (!skipCheck) {
        setStage("Testing the connection");
        const results = await Promise.all(feeds.map(test));
        if (results.includes(false)) return;
      }
      setStage("Connecting");
      const source = await create.mutateAsync({
        type: SITE_TYPE,
        name,
        feeds: feeds.map((feed) => ({ externalKey: feed.externalKey })),
        credentials,
      });
      // The schedule would begin by itself within moments; this only spares the wait.
      await sync.mutateAsync({ sourceId: source.id }).catch(() => undefined);
      const listed = await queryClient.fetchQuery(
        trpc.feeds.list.queryOptions({ sourceId: source.id, limit: 2 }),
      );
      void refresh();
      const [only, second] = listed.items;
      onConnected(only && !second ? `/feeds/${only.id}` : `/sources/${source.id}`);
    },
  });

  return {
    start: connect.mutate,
    checks,
    stage,
    error: connect.error,
    isPending: connect.isPending,
  };
}
