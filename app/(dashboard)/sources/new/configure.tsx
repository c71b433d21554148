"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { fieldError, readError } from "@/app/_shared/read-error";
import { ConfigFields } from "@/app/(dashboard)/_components/config-fields";
import { type ConfigDraft, emptyDraft, readFields, toConfig } from "@/app/(dashboard)/_lib/config-schema";
import { Catalogue } from "@/app/(dashboard)/sources/new/catalogue";
import { ChooseFeeds } from "@/app/(dashboard)/sources/new/choose-feeds";
import {
  CredentialsFields,
  emptyCredentials,
  toCredentials,
} from "@/app/(dashboard)/sources/new/credentials-fields";
import { type AdapterInfo, pickAdapter } from "@/app/(dashboard)/sources/new/pick-adapter";
import { Steps } from "@/app/(dashboard)/sources/new/steps";
import { Button } from "@/components/button";
import { Field, Input } from "@/components/field";
import { Fold } from "@/components/fold";
import { Link } from "@/components/link";
import { Panel } from "@/components/panel";
import { useTRPC } from "@/trpc/client";

/** Where to look: the upstream, what it wants to see, what to send with it. */
type Question = {
  adapter: AdapterInfo;
  input: string;
  config: Record<string, unknown>;
  credentials: ReturnType<typeof toCredentials>;
};

/**
 * Step one: an address, and the chosen adapter's own settings. Without a choice the address decides
 * which adapter reads it. Step two follows below, once feeds were found.
 */
export function Configure({
  adapters,
  chosen,
  onChoose,
  onConnected,
}: {
  adapters: readonly AdapterInfo[];
  chosen: AdapterInfo | null;
  onChoose(type: string): void;
  onConnected(sourceId: string): void;
}) {
  const trpc = useTRPC();
  const [address, setAddress] = useState("");
  const [drafts, setDrafts] = useState<Record<string, ConfigDraft>>({});
  const [credentials, setCredentials] = useState(emptyCredentials(chosen));
  const discover = useMutation(trpc.sources.discover.mutationOptions());
  const find = useMutation({
    async mutationFn({ adapter, input, config, credentials }: Question) {
      // Without a way to search, what was typed is the feed.
      if (!adapter.canDiscover) return [{ externalKey: input, name: input }];
      const call = { type: adapter.type, input: input === "" ? null : input, config, credentials };
      return (await discover.mutateAsync(call)).feeds;
    },
  });

  const fields = chosen ? readFields(chosen.configSchema) : [];
  const draft = chosen ? (drafts[chosen.type] ?? emptyDraft(fields)) : {};
  // Going back to the catalogue, or to another adapter, leaves the answer behind.
  const asked = find.variables && find.variables.adapter.type === chosen?.type ? find.variables : null;
  const error = asked ? find.error : null;
  const found = asked && find.data;
  const isAsking = find.isPending;
  const needsAddress = !chosen || chosen.externalKeyIsUrl || !chosen.canDiscover;
  const asksForCredentials = error !== null && /\b401\b/.test(error.message);
  const hasConfigError =
    error !== null && readError(error).fields.some(({ path }) => path.startsWith("config"));
  const hasRequired = fields.some((field) => field.isRequired);
  const canAuthenticate = chosen?.auth.some((way) => way !== "none") ?? false;

  /** What was found, or said of another address, holds no more. A refusal stays while it is answered. */
  function forget({ isOtherAddress }: { isOtherAddress: boolean }) {
    if (find.isSuccess || (isOtherAddress && find.isError)) find.reset();
  }

  function submit() {
    const adapter = chosen ?? pickAdapter(adapters, address);
    if (!adapter || isAsking) return;
    const own = readFields(adapter.configSchema);
    find.mutate({
      adapter,
      input: address.trim(),
      config: toConfig(own, drafts[adapter.type] ?? emptyDraft(own)),
      credentials: chosen ? toCredentials(credentials) : undefined,
    });
    if (!chosen) onChoose(adapter.type);
  }

  return (
    <>
      {chosen && <Steps current={found ? 2 : 1} />}
      <div className="space-y-4">
        <Panel
          title={chosen?.name}
          action={
            chosen && (
              <Link href="/sources/new" className="text-sm text-ink-muted">
                Connect something else
              </Link>
            )
          }
        >
          <form
            noValidate
            className="space-y-3"
            onSubmit={(event) => {
              event.preventDefault();
              submit();
            }}
          >
            <Field
              label={chosen ? chosen.externalKey : "Site or feed address"}
              hint={
                chosen && !chosen.canDiscover
                  ? chosen.description
                  : "Any page of it will do: its feeds are found from there."
              }
              optional={!needsAddress}
              error={fieldError(error, "input")}
            >
              <Input
                // A new one for each choice, so that it takes the focus from what was pressed.
                key={chosen?.type ?? ""}
                value={address}
                onChange={(event) => {
                  setAddress(event.target.value);
                  forget({ isOtherAddress: true });
                }}
                inputMode={!chosen || chosen.externalKeyIsUrl ? "url" : "text"}
                placeholder={!chosen || chosen.externalKeyIsUrl ? "example.org" : undefined}
                required={needsAddress}
                maxLength={8192}
                autoFocus
                autoComplete="off"
                spellCheck={false}
              />
            </Field>
            {chosen && fields.length > 0 && (
              <Fold summary="Settings" open={hasConfigError || hasRequired || undefined}>
                <ConfigFields
                  fields={fields}
                  draft={draft}
                  onChange={(next) => {
                    setDrafts({ ...drafts, [chosen.type]: next });
                    forget({ isOtherAddress: false });
                  }}
                  error={error}
                />
              </Fold>
            )}
            {chosen && canAuthenticate && (
              <Fold summary="It asks for credentials" open={asksForCredentials || undefined}>
                <CredentialsFields
                  adapter={chosen}
                  draft={credentials}
                  onChange={(next) => {
                    setCredentials(next);
                    forget({ isOtherAddress: false });
                  }}
                  error={error}
                />
              </Fold>
            )}
            <Button
              type="submit"
              variant={found ? "secondary" : "primary"}
              disabled={needsAddress && address.trim() === ""}
              pendingLabel={isAsking && "Looking for feeds"}
            >
              {chosen && !chosen.canDiscover ? "Continue" : "Find feeds"}
            </Button>
          </form>
        </Panel>
        {error && !hasConfigError && <CallError error={error} />}
        {found && asked && (
          <ChooseFeeds
            key={find.submittedAt}
            feeds={found}
            address={asked.input}
            plan={{
              adapter: asked.adapter,
              config: asked.config,
              credentials: asked.credentials,
            }}
            onConnected={onConnected}
          />
        )}
      </div>
      {!chosen && <Catalogue adapters={adapters} />}
    </>
  );
}
