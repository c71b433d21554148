"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { Explain } from "@/app/(dashboard)/_components/explain";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { useCreateApiSource } from "@/app/(dashboard)/sources/new/connect-program";
import { FirstPush } from "@/app/(dashboard)/tokens/first-push";
import { curlSnippet, pythonSnippet, TOKEN_PLACEHOLDER } from "@/app/(dashboard)/tokens/push-snippets";
import { Button } from "@/components/button";
import { Field, Input, Select } from "@/components/field";
import { Panel } from "@/components/panel";
import { Skeleton } from "@/components/skeleton";
import { Snippet } from "@/components/snippet";
import { Tabs } from "@/components/tabs";
import { useTRPC } from "@/trpc/client";

/** Choose or create a feed, run a snippet as it stands, watch the document arrive. */
export function PushGuide({
  feedId,
  onChooseFeed,
  token,
}: {
  feedId: string | null;
  onChooseFeed(feedId: string | null): void;
  token: string | null;
}) {
  const trpc = useTRPC();
  const viewer = useViewer();
  const [language, setLanguage] = useQueryState(
    "language",
    parseAsStringLiteral(["curl", "python"]).withDefault("curl"),
  );
  const list = useQuery(trpc.feeds.list.queryOptions({ limit: 200 }));
  // Feeds that programs push to stand first; a pulled one takes pushes too.
  const feeds = [...(list.data?.items ?? [])].sort(
    (a, b) => Number(b.sourceType === "api") - Number(a.sourceType === "api"),
  );
  const chosen = feedId ?? feeds.find((feed) => feed.sourceType === "api")?.id ?? null;
  const isKnown = chosen === null || feeds.some((feed) => feed.id === chosen);

  return (
    <Panel title="Push a document">
      <div className="space-y-4">
        {list.isPending && <FieldsSkeleton />}
        {list.isSuccess && (
          <div className="grid items-start gap-4 md:grid-cols-2">
            {feeds.length > 0 && (
              <Field label="To this feed">
                <Select value={chosen ?? ""} onChange={(event) => onChooseFeed(event.target.value || null)}>
                  {chosen === null && <option value="">Choose a feed</option>}
                  {!isKnown && chosen && <option value={chosen}>{chosen}</option>}
                  {feeds.map((feed) => (
                    <option key={feed.id} value={feed.id}>
                      {feed.sourceName}: {feed.displayName}
                    </option>
                  ))}
                </Select>
              </Field>
            )}
            {viewer.canWrite && (
              <NewApiSource
                label={feeds.length > 0 ? "Or create an API source" : "Create an API source to push to"}
                onCreated={onChooseFeed}
              />
            )}
          </div>
        )}
        {list.isError && <CallError error={list.error} what="The feeds could not be read" />}
        {chosen && (
          <>
            <Tabs
              label="Language"
              value={language}
              onChange={(next) => void setLanguage(next)}
              tabs={[
                {
                  value: "curl",
                  label: "curl",
                  content: () => (
                    <Snippet
                      label="curl"
                      code={curlSnippet({ baseUrl: viewer.baseUrl, feedId: chosen, token })}
                    />
                  ),
                },
                {
                  value: "python",
                  label: "Python",
                  content: () => (
                    <Snippet
                      label="Python"
                      code={pythonSnippet({ baseUrl: viewer.baseUrl, feedId: chosen, token })}
                    />
                  ),
                },
              ]}
            />
            {!token && (
              <p className="text-sm text-ink-muted">
                Put a token with the <Explain term="scope">scope</Explain>{" "}
                <code className="text-xs">documents:write</code> in the place of{" "}
                <code className="text-xs">{TOKEN_PLACEHOLDER}</code>. One that you create here fills itself
                in.
              </p>
            )}
            <FirstPush key={chosen} feedId={chosen} />
          </>
        )}
      </div>
    </Panel>
  );
}

/** As tall as the two fields that come, so that what stands below does not move. */
function FieldsSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="grid gap-4 md:grid-cols-2">
      {[1, 2].map((field) => (
        <div key={field} className="space-y-1">
          <Skeleton className="h-5 w-28" />
          <Skeleton className="h-8 max-md:h-10" />
        </div>
      ))}
    </div>
  );
}

function NewApiSource({ label, onCreated }: { label: string; onCreated(feedId: string): void }) {
  const [name, setName] = useState("");
  const create = useCreateApiSource((feedId) => {
    setName("");
    onCreated(feedId);
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate(name.trim());
      }}
    >
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <Field label={label}>
            <Input
              value={name}
              onChange={(event) => setName(event.target.value)}
              placeholder="Its name, such as Invoices"
              maxLength={200}
              required
            />
          </Field>
        </div>
        <Button type="submit" disabled={name.trim() === ""} pendingLabel={create.isPending && "Creating"}>
          Create
        </Button>
      </div>
      {create.error && (
        <div className="mt-2">
          <CallError error={create.error} what="The source was not created" />
        </div>
      )}
    </form>
  );
}
