"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { fieldError } from "@/app/_shared/read-error";
import { ChooseFeeds } from "@/app/(dashboard)/sources/new/choose-feeds";
import { Button } from "@/components/button";
import { Field, Input } from "@/components/field";
import { Fold } from "@/components/fold";
import { Panel } from "@/components/panel";
import { useTRPC } from "@/trpc/client";

export type Basic = { type: "basic"; username: string; password: string };

/** The adapter that reads sites and feeds. */
export const SITE_TYPE = "rss";

/** Step one: an address. Step two and three follow below it, once feeds were found. */
export function ConnectSite() {
  const trpc = useTRPC();
  const [address, setAddress] = useState("");
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const discover = useMutation(trpc.sources.discover.mutationOptions());
  const credentials: Basic | undefined = username === "" ? undefined : { type: "basic", username, password };
  const feeds = discover.data?.feeds;
  const asksForPassword = discover.error !== null && /\b401\b/.test(discover.error.message);

  return (
    <div className="space-y-4">
      <Panel>
        <form
          className="space-y-3"
          onSubmit={(event) => {
            event.preventDefault();
            discover.mutate({ type: SITE_TYPE, input: withScheme(address), credentials });
          }}
        >
          <Field
            label="Site or feed address"
            hint="Any page of the site will do: its feeds are found from there."
            error={fieldError(discover.error, "input")}
          >
            <Input
              value={address}
              onChange={(event) => {
                setAddress(event.target.value);
                if (!discover.isIdle) discover.reset();
              }}
              inputMode="url"
              placeholder="example.org"
              required
              maxLength={8192}
              autoFocus
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
          <Fold summary="It asks for a user name and password" open={asksForPassword || undefined}>
            <div className="grid gap-3 xs:grid-cols-2">
              <Field label="User name" optional>
                <Input
                  value={username}
                  onChange={(event) => setUsername(event.target.value)}
                  autoComplete="off"
                />
              </Field>
              <Field label="Password" optional>
                <Input
                  type="password"
                  value={password}
                  onChange={(event) => setPassword(event.target.value)}
                  autoComplete="new-password"
                />
              </Field>
            </div>
            <p className="mt-2 text-xs text-ink-muted">
              Sent to this site only (HTTP Basic), kept encrypted, never shown again.
            </p>
          </Fold>
          <Button
            type="submit"
            variant={feeds ? "secondary" : "primary"}
            disabled={address.trim() === ""}
            pendingLabel={discover.isPending && "Looking for feeds"}
          >
            Find feeds
          </Button>
        </form>
      </Panel>
      <CallError error={discover.error} />
      {feeds && (
        <ChooseFeeds key={discover.submittedAt} feeds={feeds} address={address} credentials={credentials} />
      )}
    </div>
  );
}

/** People type `example.org`; browsers understand it, so do we. */
function withScheme(address: string): string {
  const trimmed = address.trim();
  return /^[a-z][a-z0-9+.-]*:/i.test(trimmed) && !/^[^/]+:\d+(\/|$)/.test(trimmed)
    ? trimmed
    : `https://${trimmed}`;
}
