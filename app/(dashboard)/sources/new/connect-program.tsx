"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { fieldError } from "@/app/_shared/read-error";
import { useRefresh } from "@/app/(dashboard)/_lib/use-refresh";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { Button } from "@/components/button";
import { Field, Input } from "@/components/field";
import { Link } from "@/components/link";
import { Panel } from "@/components/panel";
import { useTRPC } from "@/trpc/client";

/** A source that only gets pushes: a name is all it needs. */
export function ConnectProgram() {
  const [name, setName] = useState("");
  const viewer = useViewer();
  const router = useRouter();
  const create = useCreateApiSource((feedId) =>
    router.push(viewer.canAdmin ? `/tokens?feed=${feedId}` : `/feeds/${feedId}`),
  );
  return (
    <Panel
      title="Your own program"
      action={
        <Link href="/sources/new" className="text-sm text-ink-muted">
          Connect something else
        </Link>
      }
    >
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(name.trim());
        }}
      >
        <Field
          label="Name"
          hint="What pushes, such as “Invoices” or “Team notes”. Ready curl and Python snippets come next."
          error={fieldError(create.error, "name")}
        >
          <Input
            value={name}
            onChange={(event) => setName(event.target.value)}
            required
            maxLength={200}
            autoFocus
          />
        </Field>
        <CallError error={create.error} what="The source was not created" beside={["name"]} />
        <Button
          type="submit"
          variant="primary"
          disabled={name.trim() === ""}
          pendingLabel={(create.isPending || create.isSuccess) && "Creating the source"}
        >
          Create API source
        </Button>
      </form>
    </Panel>
  );
}

/** Creates an `api` source with one feed and hands over the feed's id. */
export function useCreateApiSource(onCreated: (feedId: string) => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const refresh = useRefresh();
  const createSource = useMutation(trpc.sources.create.mutationOptions());
  return useMutation({
    async mutationFn(name: string) {
      const source = await createSource.mutateAsync({
        type: "api",
        name,
        feeds: [{ externalKey: "default" }],
      });
      const feeds = await queryClient.fetchQuery(
        trpc.feeds.list.queryOptions({ sourceId: source.id, limit: 1 }),
      );
      const feed = feeds.items[0];
      if (!feed) throw new Error("the new source has no feed");
      await refresh();
      onCreated(feed.id);
    },
  });
}
