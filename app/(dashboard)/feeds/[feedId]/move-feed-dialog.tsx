"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { fieldError, readError } from "@/app/_shared/read-error";
import type { Feed } from "@/app/(dashboard)/_lib/types";
import { useRefresh } from "@/app/(dashboard)/_lib/use-refresh";
import { MoveEffect, type MoveRule } from "@/app/(dashboard)/feeds/[feedId]/move-effect";
import { Button } from "@/components/button";
import { Dialog, DialogActions } from "@/components/dialog";
import { Field, Input } from "@/components/field";
import { Link } from "@/components/link";
import { Notice } from "@/components/notice";
import { toast } from "@/components/toast";
import { useTRPC } from "@/trpc/client";

/** Another address for a feed: first what is there, then what moving means, then the move. */
export function MoveFeedDialog({ feed, onOpenChange }: { feed: Feed; onOpenChange(open: boolean): void }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [address, setAddress] = useState("");
  const [startsOver, setStartsOver] = useState(false);
  const source = useQuery(trpc.sources.get.queryOptions({ sourceId: feed.sourceId }));
  const check = useMutation(trpc.feeds.checkMove.mutationOptions());
  const move = useMutation(
    trpc.feeds.move.mutationOptions({
      async onSuccess() {
        await refresh();
        toast.plain(`Moved: ${feed.displayName}`);
        onOpenChange(false);
      },
    }),
  );
  const externalKey = address.trim();
  // What was found, or said of another address, holds no more.
  const asked = check.variables?.externalKey === externalKey;
  const found = asked ? check.data : undefined;
  const failure = asked ? check.error : null;
  const canMove = found
    ? !found.isSame && found.rivalId === null
    : // The address may be right and the site away: a person may know better than the check.
      failure !== null && readError(failure).code === "upstream_failed";
  const rule = found?.rule ?? ruleUnchecked(feed);
  const newSite = source.data?.hasCredentials ? otherSite(feed.externalKey, externalKey) : null;

  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title="Change address"
      description="For when the same feed has moved. It stays the same feed here, with its name, documents and history."
    >
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (canMove) {
            const position = rule === "restart" || startsOver ? "restart" : "keep";
            move.mutate({ feedId: feed.id, externalKey, position });
          } else check.mutate({ feedId: feed.id, externalKey });
        }}
      >
        <Field
          label="New address"
          hint={
            <>
              Now: <span className="font-mono break-all">{feed.externalKey}</span>
            </>
          }
          error={fieldError(check.error ?? move.error, "externalKey")}
        >
          <Input
            value={address}
            onChange={(event) => {
              setAddress(event.target.value);
              move.reset();
            }}
            inputMode="url"
            required
            maxLength={8192}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        {newSite && (
          <Notice tone="warn" title={`The source’s credentials will be sent to ${newSite}`}>
            <p className="text-ink-muted">Go on only if you trust it with them: the check sends them too.</p>
          </Notice>
        )}
        {found?.isSame && <Notice tone="info" announce title="This is the feed’s address already" />}
        {found?.rivalId && (
          <Notice tone="warn" announce title="This address is another feed of the same source">
            <p>
              One of the two can be deleted: <Link href={`/feeds/${found.rivalId}`}>open the other feed</Link>
              .
            </p>
          </Notice>
        )}
        <CallError error={failure} what="Nothing can be read there" beside={["externalKey"]} />
        {found?.found && <Notice tone="info" announce title={found.found.message} />}
        {canMove && (
          <MoveEffect feed={feed} rule={rule} startsOver={startsOver} onStartsOver={setStartsOver} />
        )}
        <CallError error={move.error} what="The feed was not moved" beside={["externalKey"]} />
        <DialogActions>
          {canMove ? (
            <Button type="submit" variant="primary" pendingLabel={move.isPending && "Changing"}>
              {failure ? "Change address all the same" : "Change address"}
            </Button>
          ) : (
            <Button
              type="submit"
              variant="primary"
              disabled={externalKey === ""}
              pendingLabel={check.isPending && "Checking"}
            >
              Check address
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The check could not say what the server would; without an answer the careful reading holds. */
function ruleUnchecked({ watermark, cursor }: Feed): MoveRule {
  if (cursor === null) return "kept";
  if (watermark === "date") return "choice";
  return watermark === "idSet" || watermark === "token" ? "restart" : "kept";
}

/** The host of an address on another site than the feed's; null while it is none. */
function otherSite(from: string, to: string): string | null {
  if (!URL.canParse(from) || !URL.canParse(to)) return null;
  const target = new URL(to);
  return target.origin === new URL(from).origin ? null : target.host;
}
