"use client";

import { CircleCheck, CircleX, LoaderCircle } from "lucide-react";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { type Check, type Found, type Plan, useConnect } from "@/app/(dashboard)/sources/new/use-connect";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Checkbox, Field, FilterInput, Input } from "@/components/field";
import { countOf } from "@/components/numbers";
import { Panel } from "@/components/panel";
import { Sentence } from "@/components/sentence";
import { useFocusOnMount } from "@/components/use-focus-on-mount";

/** One source holds this many feeds when it is created; more are added on its page. */
const MAX_FEEDS = 500;
/** So many are still seen at a glance. */
const SEARCHABLE = 9;

/** Steps two and three: which feeds, and connect them; they are tested first. */
export function ChooseFeeds({
  feeds,
  address,
  plan,
  onConnected,
}: {
  feeds: Found[];
  address: string;
  plan: Plan;
  onConnected(sourceId: string): void;
}) {
  // One feed needs no choosing; of several the first is the site's main one.
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(feeds[0] ? [feeds[0].externalKey] : []));
  const [name, setName] = useState(suggestName(feeds, address));
  const [addsLater, setAddsLater] = useState(false);
  const [search, setSearch] = useState("");
  // The answer came to someone who pressed Enter: pressing it again goes on.
  const submit = useFocusOnMount<HTMLButtonElement>();
  const connect = useConnect(plan, onConnected);

  if (feeds.length === 0) {
    return (
      <EmptyState title="No feed was found there">
        The page names none and the usual places are empty. If you know the feed’s own address, type it above.
      </EmptyState>
    );
  }
  const picked = feeds.filter((feed) => chosen.has(feed.externalKey));
  const shown = feeds.filter((feed) =>
    `${feed.name} ${feed.externalKey}`.toLowerCase().includes(search.trim().toLowerCase()),
  );
  const hasFailedCheck = picked.some((feed) => connect.checks[feed.externalKey]?.state === "failed");
  const isTooMany = picked.length > MAX_FEEDS;
  const mayGrow = plan.adapter.discoversMany && !isFeedItself(feeds, address);

  return (
    <Panel
      title={`Found ${countOf(feeds.length, "feed")}`}
      action={
        feeds.length > 1 && (
          <span className="flex gap-1">
            <Button
              size="sm"
              variant="ghost"
              onClick={() => setChosen(new Set([...chosen, ...shown.map((feed) => feed.externalKey)]))}
            >
              Choose all
            </Button>
            <Button
              size="sm"
              variant="ghost"
              disabled={chosen.size === 0}
              onClick={() => setChosen(new Set())}
            >
              None
            </Button>
          </span>
        )
      }
    >
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          connect.start({
            name: name.trim(),
            feeds: picked,
            skipCheck: hasFailedCheck,
            ...(mayGrow && { newFeeds: lookSettings(feeds, chosen, address, addsLater) }),
          });
        }}
      >
        {feeds.length >= SEARCHABLE && (
          <FilterInput
            label="Search these feeds"
            type="search"
            placeholder="Search these feeds"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            className="w-full max-w-72"
          />
        )}
        <ul className="space-y-3">
          {shown.map((feed) => (
            <li key={feed.externalKey}>
              <Checkbox
                checked={chosen.has(feed.externalKey)}
                disabled={connect.isPending}
                onChange={(event) => {
                  const next = new Set(chosen);
                  if (event.target.checked) next.add(feed.externalKey);
                  else next.delete(feed.externalKey);
                  setChosen(next);
                }}
                label={<span className="font-medium">{feed.name}</span>}
                hint={
                  <>
                    <span className="block font-mono break-all">{feed.externalKey}</span>
                    {feed.description && <span className="block">{feed.description}</span>}
                    {feed.sampleTitles && feed.sampleTitles.length > 0 && (
                      <span className="block">Latest: {feed.sampleTitles.slice(0, 3).join(" · ")}</span>
                    )}
                  </>
                }
              />
              <CheckResult check={connect.checks[feed.externalKey]} />
            </li>
          ))}
        </ul>
        {mayGrow && (
          <Checkbox
            checked={addsLater}
            disabled={connect.isPending}
            onChange={(event) => setAddsLater(event.target.checked)}
            label="Also add feeds that appear later"
            hint={
              picked.length < feeds.length
                ? "The site is asked once a day. What you leave out now is not added later."
                : "The site is asked once a day."
            }
          />
        )}
        <Field label="Name of the source" hint="More feeds can be added on the source’s page at any time.">
          <Input value={name} onChange={(event) => setName(event.target.value)} required maxLength={200} />
        </Field>
        <CallError error={connect.error} what="The source was not created" />
        <Button
          ref={submit}
          type="submit"
          variant="primary"
          disabled={picked.length === 0 || isTooMany || name.trim() === ""}
          pendingLabel={connect.isPending && connect.stage}
        >
          {hasFailedCheck ? "Connect all the same" : `Connect ${countOf(picked.length, "feed")}`}
        </Button>
        {isTooMany && <p className="text-xs text-bad">At most {MAX_FEEDS} at once. Add the others later.</p>}
      </form>
    </Panel>
  );
}

function CheckResult({ check }: { check: Check | undefined }) {
  if (!check) return null;
  const look = {
    testing: { Icon: LoaderCircle, tone: "text-ink-muted", spin: true },
    ok: { Icon: CircleCheck, tone: "text-ok", spin: false },
    failed: { Icon: CircleX, tone: "text-bad", spin: false },
  }[check.state];
  return (
    <p role="status" className={`mt-1 ml-6 flex items-start gap-1.5 text-sm ${look.tone}`}>
      <look.Icon
        aria-hidden
        size={14}
        className={look.spin ? "mt-0.75 shrink-0 animate-turn" : "mt-0.75 shrink-0"}
      />
      <span className="min-w-0">
        <Sentence>{check.message}</Sentence>
      </span>
    </p>
  );
}

/** So many left-out feeds are remembered; a site that offers more has its first ones told apart. */
const MAX_LEFT_OUT = 1_000;

function lookSettings(feeds: Found[], chosen: ReadonlySet<string>, address: string, isOn: boolean) {
  const leftOut = feeds.map((feed) => feed.externalKey).filter((key) => !chosen.has(key));
  return { isOn, leftOut: leftOut.slice(0, MAX_LEFT_OUT), ...(address !== "" && { address }) };
}

/** What was typed is the one feed: nothing else can appear there. */
function isFeedItself([only, ...others]: Found[], address: string): boolean {
  return (
    others.length === 0 &&
    only?.externalKey.replace(/^https?:\/\//, "") === address.replace(/^https?:\/\//, "")
  );
}

function suggestName(feeds: Found[], address: string): string {
  if (feeds.length === 1 && feeds[0]) return feeds[0].name.slice(0, 200);
  try {
    return new URL(address.includes("://") ? address : `https://${address}`).hostname.replace(/^www\./, "");
  } catch {
    return feeds[0]?.name ?? address;
  }
}
