"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { fieldError } from "@/app/_shared/read-error";
import { Button } from "@/components/button";
import { Field, Input } from "@/components/field";
import { toast } from "@/components/toast";

/** What somebody or something is called. The frame around the page shows it too, so it is drawn anew. */
export function NameForm({
  label,
  name,
  autoComplete = "off",
  rename,
  done,
}: {
  label: string;
  name: string;
  autoComplete?: string;
  rename(name: string): Promise<{ name: string }>;
  /** What is said afterwards. */
  done(name: string): string;
}) {
  const router = useRouter();
  const [text, setText] = useState(name);
  const save = useMutation({
    mutationFn: rename,
    onSuccess(saved) {
      toast.success(done(saved.name));
      router.refresh();
    },
  });
  const typed = text.trim();
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(typed);
      }}
    >
      <Field label={label} error={fieldError(save.error, "name")}>
        <Input
          value={text}
          onChange={(event) => setText(event.target.value)}
          maxLength={100}
          autoComplete={autoComplete}
          className="max-w-sm"
        />
      </Field>
      <CallError error={save.error} what="The name was not changed" beside={["name"]} />
      <Button
        type="submit"
        disabled={typed === "" || typed === name}
        pendingLabel={save.isPending && "Saving"}
      >
        Save
      </Button>
    </form>
  );
}
