"use client";

import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { readDays } from "@/app/(dashboard)/_retention/read-days";
import { Button } from "@/components/button";
import { Field, Input } from "@/components/field";
import { formatCount } from "@/components/numbers";
import { MAX_RETENTION_DAYS } from "@/server/workspaces/choices";

/** What the question before a shorter time needs. */
export type Shorter = {
  kept: number;
  days: number;
  isPending: boolean;
  error: unknown;
  onClose(): void;
  onConfirm(): void;
};

/** For how many days something is kept; a shorter time is asked about first, since it forgets. */
export function DaysForm({
  kept,
  onSave,
  question,
}: {
  kept: number;
  onSave(days: number): Promise<unknown>;
  question(shorter: Shorter): ReactNode;
}) {
  const [text, setText] = useState(String(kept));
  const [problem, setProblem] = useState<string | null>(null);
  const [asked, setAsked] = useState<number | null>(null);
  const save = useMutation({ mutationFn: onSave, onSuccess: () => setAsked(null) });

  function submit() {
    const read = readDays(text);
    setProblem(read.problem);
    if (read.days === null || read.days === kept) return;
    if (read.days < kept) setAsked(read.days);
    else save.mutate(read.days);
  }

  return (
    <form
      noValidate // our own words say what is wrong
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      className="space-y-3"
    >
      <Field label="Days" hint={`1 to ${formatCount(MAX_RETENTION_DAYS)}`} error={problem}>
        <Input
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setProblem(null);
          }}
          inputMode="numeric"
          autoComplete="off"
          className="max-w-28"
        />
      </Field>
      <Button
        type="submit"
        disabled={text.trim() === String(kept)}
        pendingLabel={save.isPending && asked === null && "Saving"}
      >
        Save
      </Button>
      {asked === null && <CallError error={save.error} what="The time was not changed" />}
      {asked !== null &&
        question({
          kept,
          days: asked,
          isPending: save.isPending,
          error: save.error,
          onClose() {
            save.reset();
            setAsked(null);
          },
          onConfirm: () => save.mutate(asked),
        })}
    </form>
  );
}
