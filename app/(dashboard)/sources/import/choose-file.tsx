"use client";

import { FileUp } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import { Button } from "@/components/button";
import { classNames } from "@/components/class-names";
import { Field, Textarea } from "@/components/field";
import { Fold } from "@/components/fold";
import { Panel } from "@/components/panel";

/** What server/opml/schema.ts takes; said here again because that file would bring zod along. */
const MAX_BYTES = 5 * 1024 * 1024;

/** A file, dropped or chosen, or its text pasted. The bytes go as they are: XML names its own encoding. */
export function ChooseFile({ isPending, onChoose }: { isPending: boolean; onChoose(base64: string): void }) {
  const picker = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);

  async function read(file: File | undefined) {
    if (!file) return;
    if (file.size > MAX_BYTES) {
      setProblem(`“${file.name}” is larger than 5 MiB. Lists of feeds are smaller; is it the right file?`);
      return;
    }
    setProblem(null);
    onChoose(await toBase64(file));
  }

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    void read(event.dataTransfer.files[0]);
  }

  return (
    <Panel>
      <div className="space-y-4">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a convenience; the button does the same */}
        <div
          role="presentation"
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
          className={classNames(
            "flex flex-col items-center gap-3 rounded-lg border border-dashed px-4 py-8 text-center",
            isOver ? "border-accent bg-accent-soft" : "border-line-strong",
          )}
        >
          <FileUp aria-hidden size={26} className="text-ink-faint" />
          <p className="max-w-md text-sm text-ink-muted">
            Every feed reader can export its list as an OPML file. Drop it here; nothing is connected before
            you have seen what is in it.
          </p>
          <input
            ref={picker}
            type="file"
            accept=".opml,.xml,text/xml,text/x-opml,application/xml"
            aria-label="OPML file"
            tabIndex={-1}
            className="sr-only"
            onChange={(event) => {
              void read(event.target.files?.[0]);
              event.target.value = ""; // so that the same file can be chosen again once mended
            }}
          />
          <Button
            variant="primary"
            pendingLabel={isPending && "Reading the file"}
            onClick={() => picker.current?.click()}
          >
            Choose a file
          </Button>
          {problem && (
            <p role="alert" className="text-sm text-bad">
              {problem}
            </p>
          )}
        </div>
        <Fold summary="Paste its text instead">
          <form
            className="space-y-3"
            onSubmit={(event) => {
              event.preventDefault();
              void read(new File([text], "The pasted text"));
            }}
          >
            <Field label="OPML">
              <Textarea
                value={text}
                onChange={(event) => setText(event.target.value)}
                rows={8}
                spellCheck={false}
                autoComplete="off"
                className="font-mono text-xs"
                placeholder={'<opml version="2.0">…'}
              />
            </Field>
            <Button
              type="submit"
              disabled={text.trim() === ""}
              pendingLabel={isPending && "Reading the text"}
            >
              Read the text
            </Button>
          </form>
        </Fold>
      </div>
    </Panel>
  );
}

/** Through a data: URL, because that is the one way browsers offer that does not copy byte by byte. */
function toBase64(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
