"use client";

import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useState } from "react";
import { Explain } from "@/app/(dashboard)/_components/explain";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import {
  clientSnippet,
  EXAMPLE_CONSUMER,
  pullSnippet,
  type Start,
} from "@/app/(dashboard)/changes/change-snippets";
import { TOKEN_PLACEHOLDER } from "@/app/(dashboard)/tokens/push-snippets";
import { Field, Select } from "@/components/field";
import { Link } from "@/components/link";
import { Panel } from "@/components/panel";
import { Snippet } from "@/components/snippet";
import { Tabs } from "@/components/tabs";

const STARTS: Record<Start, string> = {
  beginning: "From the beginning: all live documents",
  now: "From now on: only what comes",
  here: "After the last change of the tail above",
};

/** A request that works as it stands, with the tail's filter, and how a program goes on from it. */
export function TryIt({
  sourceId,
  feedId,
  cursor,
}: {
  sourceId: string | undefined;
  feedId: string | undefined;
  /** Where the tail stands, of the same filter; null until it is known. */
  cursor: string | null;
}) {
  const viewer = useViewer();
  const [start, setStart] = useState<Start>("beginning");
  const [language, setLanguage] = useQueryState(
    "language",
    parseAsStringLiteral(["curl", "javascript"]).withDefault("curl"),
  );
  const filter = { baseUrl: viewer.baseUrl, sourceId, feedId };
  const from = start === "beginning" ? null : start === "now" ? "now" : cursor;
  return (
    <div id="try-it" className="scroll-mt-16">
      <Panel title="Try it">
        <Tabs
          label="Language"
          value={language}
          onChange={(next) => void setLanguage(next)}
          tabs={[
            {
              value: "curl",
              label: "curl",
              content: () => (
                <div className="space-y-3">
                  <Field label="Start">
                    <Select
                      value={start}
                      onChange={(event) => {
                        const next = (Object.keys(STARTS) as Start[]).find(
                          (key) => key === event.target.value,
                        );
                        if (next) setStart(next);
                      }}
                    >
                      {(Object.keys(STARTS) as Start[]).map((key) => (
                        <option key={key} value={key} disabled={key === "here" && cursor === null}>
                          {STARTS[key]}
                        </option>
                      ))}
                    </Select>
                  </Field>
                  <Snippet label="curl" code={pullSnippet({ ...filter, cursor: from })} />
                  <Steps />
                </div>
              ),
            },
            {
              value: "javascript",
              label: "JavaScript",
              content: () => (
                <div className="space-y-3">
                  <Snippet label="Install" code="npm install @tidemark/client" />
                  <Snippet label="JavaScript" code={clientSnippet(filter)} />
                  <p className="text-sm text-ink-muted">
                    <code className="text-xs">@tidemark/client</code> keeps the cursor, waits, tries again,
                    and starts over when the cursor expired. <a href="/docs/client">Its own page</a> tells how
                    to keep a copy in one transaction.
                  </p>
                </div>
              ),
            },
          ]}
        />
        <p className="mt-3 text-sm text-ink-muted">
          Put a token with the <Explain term="scope">scope</Explain>{" "}
          <code className="text-xs">changes:read</code>{" "}
          {language === "curl" ? "in the place of" : "into the environment as"}{" "}
          <code className="text-xs">{language === "curl" ? TOKEN_PLACEHOLDER : "TIDEMARK_TOKEN"}</code>.
          Tokens are made under <Link href="/tokens">API</Link>. The request is listed above as{" "}
          <code className="text-xs">{EXAMPLE_CONSUMER}</code>. All of it is written down in{" "}
          <a href="/docs/following-changes">Follow the changes</a>.
        </p>
      </Panel>
    </div>
  );
}

function Steps() {
  return (
    <ol className="list-decimal space-y-1 pl-5 text-sm text-ink-muted marker:text-ink-faint">
      <li>
        Apply <code className="text-xs">changes</code> in their order, by{" "}
        <code className="text-xs">documentId</code>: an upsert replaces, a delete removes.
      </li>
      <li>
        Store <code className="text-xs">cursor</code> together with them, and send it with the next request.
      </li>
      <li>
        <code className="text-xs">hasMore</code>: ask again at once. Otherwise add{" "}
        <code className="text-xs">wait=25</code>; the answer comes when something changes.
      </li>
      <li>410: start again without a cursor, and remove what the new walk does not bring.</li>
    </ol>
  );
}
