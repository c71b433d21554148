"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { readError } from "@/app/_shared/read-error";
import type { Outputs } from "@/app/(dashboard)/_lib/types";
import { useRefresh } from "@/app/(dashboard)/_lib/use-refresh";
import type { Credentials } from "@/app/(dashboard)/sources/new/credentials-fields";
import type { AdapterInfo } from "@/app/(dashboard)/sources/new/pick-adapter";
import { useTRPC } from "@/trpc/client";

export type Found = Outputs["sources"]["discover"]["feeds"][number];
export type Check = { state: "testing" | "ok" | "failed"; message: string };

/** What was decided before the feeds were chosen. */
export type Plan = {
  adapter: AdapterInfo;
  config: Record<string, unknown>;
  credentials: Credentials | undefined;
};

type Wanted = {
  name: string;
  feeds: Found[];
  skipCheck: boolean;
  /** Where to look for later feeds, and what was left out; absent where none can appear. */
  newFeeds?: { isOn: boolean; address?: string; leftOut: string[] };
};

/** Each test is a request to the upstream; a whole list of them would look like an attack. */
const MAX_TESTS = 6;

/**
 * Tests feeds, creates the source with all of them and starts their first sync. A failed test stops
 * before anything is saved.
 */
export function useConnect({ adapter, config, credentials }: Plan, onConnected: (sourceId: string) => void) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [checks, setChecks] = useState<Record<string, Check>>({});
  const [stage, setStage] = useState("");
  const check = useMutation(trpc.sources.check.mutationOptions());
  const create = useMutation(trpc.sources.create.mutationOptions());
  const sync = useMutation(trpc.sources.sync.mutationOptions());

  async function test({ externalKey }: Found): Promise<boolean> {
    const mark = (result: Check) => setChecks((known) => ({ ...known, [externalKey]: result }));
    mark({ state: "testing", message: "Testing the connection" });
    try {
      const answer = await check.mutateAsync({ type: adapter.type, externalKey, config, credentials });
      mark({ state: "ok", message: answer.message });
      return true;
    } catch (error) {
      mark({ state: "failed", message: readError(error).message });
      return false;
    }
  }

  const connect = useMutation({
    async mutationFn({ name, feeds, skipCheck, newFeeds }: Wanted) {
      if (adapter.canCheck && !skipCheck) {
        setStage("Testing the connection");
        const results = await Promise.all(feeds.slice(0, MAX_TESTS).map(test));
        if (results.includes(false)) return;
      }
      setStage("Connecting");
      const source = await create.mutateAsync({
        type: adapter.type,
        name,
        config,
        feeds: feeds.map((feed) => ({ externalKey: feed.externalKey })),
        credentials,
        newFeeds,
      });
      // The schedule would begin by itself within moments; this only spares the wait.
      await sync.mutateAsync({ sourceId: source.id }).catch(() => undefined);
      void refresh();
      onConnected(source.id);
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
