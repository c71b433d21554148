"use client";

import { Rss, Terminal } from "lucide-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { ConnectProgram } from "@/app/(dashboard)/sources/new/connect-program";
import { ConnectSite } from "@/app/(dashboard)/sources/new/connect-site";
import { classNames } from "@/components/class-names";

const KINDS = [
  { kind: "site", Icon: Rss, title: "Site or feed", text: "Tidemark reads it on a schedule." },
  { kind: "program", Icon: Terminal, title: "Your own program", text: "It pushes documents over the API." },
] as const;

/** From "I have an address" to a first synced document. */
export function Connect() {
  const [kind, setKind] = useQueryState(
    "kind",
    parseAsStringLiteral(["site", "program"]).withDefault("site"),
  );
  return (
    <>
      <fieldset className="mb-5 grid grid-cols-1 gap-2 xs:grid-cols-2">
        <legend className="sr-only">What to connect</legend>
        {KINDS.map((option) => (
          <label
            key={option.kind}
            className={classNames(
              "flex gap-3 rounded-lg border bg-surface p-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
              kind === option.kind
                ? "border-accent ring-1 ring-accent"
                : "border-line hover:border-line-strong",
            )}
          >
            <input
              type="radio"
              name="kind"
              className="sr-only"
              checked={kind === option.kind}
              onChange={() => void setKind(option.kind)}
            />
            <option.Icon
              aria-hidden
              size={18}
              className={kind === option.kind ? "text-accent" : "text-ink-faint"}
            />
            <span>
              <span className="block text-base font-medium">{option.title}</span>
              <span className="block text-sm text-ink-muted">{option.text}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {kind === "site" ? <ConnectSite /> : <ConnectProgram />}
    </>
  );
}
