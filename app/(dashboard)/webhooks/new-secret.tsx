import { useState } from "react";
import { nodeSnippet, pythonSnippet } from "@/app/(dashboard)/webhooks/verify-snippets";
import { CopyButton } from "@/components/copy-button";
import { Notice } from "@/components/notice";
import { Snippet } from "@/components/snippet";
import { Tabs } from "@/components/tabs";

type Language = "node" | "python";

/** The one time a signing secret is shown, with what the receiver does with it. */
export function NewSecret({ secret, title, note }: { secret: string; title: string; note: string }) {
  const [language, setLanguage] = useState<Language>("node");
  return (
    <Notice tone="info" announce title={title}>
      <p className="flex items-center gap-2">
        <code
          data-testid="new-secret"
          className="min-w-0 rounded-md border border-line bg-surface px-2 py-1 text-xs break-all"
        >
          {secret}
        </code>
        <CopyButton text={secret} label="Copy the secret">
          Copy
        </CopyButton>
      </p>
      <p className="text-ink-muted">{note}</p>
      <Tabs<Language>
        label="Language"
        value={language}
        onChange={setLanguage}
        tabs={[
          {
            value: "node",
            label: "Node",
            content: () => <Snippet label="A receiver in Node" code={nodeSnippet(secret)} />,
          },
          {
            value: "python",
            label: "Python",
            content: () => <Snippet label="The check in Python" code={pythonSnippet(secret)} />,
          },
        ]}
      />
    </Notice>
  );
}
