import { useState } from "react";
import { nodeSnippet, pythonSnippet } from "@/app/(dashboard)/webhooks/verify-snippets";
import { ShownOnce } from "@/components/shown-once";
import { Snippet } from "@/components/snippet";
import { Tabs } from "@/components/tabs";

type Language = "node" | "python";

/** The one time a signing secret is shown, with what the receiver does with it. */
export function NewSecret({ secret, title, note }: { secret: string; title: string; note: string }) {
  const [language, setLanguage] = useState<Language>("node");
  return (
    <ShownOnce title={title} secret={secret} copyLabel="Copy the secret" testId="new-secret">
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
    </ShownOnce>
  );
}
