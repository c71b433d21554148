"use client";

import { fieldError } from "@/app/_shared/read-error";
import type { AdapterInfo } from "@/app/(dashboard)/sources/new/pick-adapter";
import { Field, Input, Select } from "@/components/field";

export type Credentials =
  | { type: "basic"; username: string; password: string }
  | { type: "bearer"; token: string };

export type CredentialsDraft = {
  type: "none" | "basic" | "bearer";
  username: string;
  password: string;
  token: string;
};

const WORDS = { none: "Nothing", basic: "User name and password", bearer: "A token" } as const;

export function emptyCredentials(adapter: AdapterInfo | null): CredentialsDraft {
  return { type: adapter?.auth[0] ?? "none", username: "", password: "", token: "" };
}

/** What to send; undefined while nothing was entered. */
export function toCredentials(draft: CredentialsDraft): Credentials | undefined {
  if (draft.type === "basic" && draft.username !== "")
    return { type: "basic", username: draft.username, password: draft.password };
  if (draft.type === "bearer" && draft.token.trim() !== "")
    return { type: "bearer", token: draft.token.trim() };
  return undefined;
}

/** The ways an adapter knows to sign in upstream, with its own hints. */
export function CredentialsFields({
  adapter,
  draft,
  onChange,
  error,
}: {
  adapter: AdapterInfo;
  draft: CredentialsDraft;
  onChange(draft: CredentialsDraft): void;
  error: unknown;
}) {
  const ways = adapter.auth.filter((way) => way !== "none");
  // With one way there is nothing to choose: leaving its fields empty means none.
  const [only] = ways;
  const way = ways.length === 1 && only ? only : draft.type;
  const set = (change: Partial<CredentialsDraft>) => onChange({ ...draft, type: way, ...change });
  return (
    <div className="space-y-3">
      {ways.length > 1 && (
        <Field label="It asks for">
          <Select
            value={draft.type}
            onChange={(event) => set({ type: event.target.value as CredentialsDraft["type"] })}
          >
            {adapter.auth.map((each) => (
              <option key={each} value={each}>
                {WORDS[each]}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {way === "basic" && (
        <div className="grid gap-3 xs:grid-cols-2">
          <Field label="User name" error={fieldError(error, "credentials.username")}>
            <Input
              value={draft.username}
              onChange={(event) => set({ username: event.target.value })}
              autoComplete="off"
            />
          </Field>
          <Field label="Password" error={fieldError(error, "credentials.password")}>
            <Input
              type="password"
              value={draft.password}
              onChange={(event) => set({ password: event.target.value })}
              autoComplete="new-password"
            />
          </Field>
        </div>
      )}
      {way === "bearer" && (
        <Field label="Token" error={fieldError(error, "credentials.token")}>
          <Input
            type="password"
            value={draft.token}
            onChange={(event) => set({ token: event.target.value })}
            autoComplete="new-password"
          />
        </Field>
      )}
      <p className="text-xs text-ink-muted">
        {way !== "none" && adapter.authHints[way] ? `${adapter.authHints[way]} ` : ""}
        Sent to this upstream only, kept encrypted, never shown again.
      </p>
    </div>
  );
}
