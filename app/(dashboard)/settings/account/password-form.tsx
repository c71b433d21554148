"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { CallError } from "@/app/_shared/call-error";
import { fieldError } from "@/app/_shared/read-error";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { Field, Input } from "@/components/field";
import { SubmitButton } from "@/components/submit-button";
import { toast } from "@/components/toast";
import { useTRPC } from "@/trpc/client";

const EMPTY = { currentPassword: "", newPassword: "" };

export function PasswordForm() {
  const trpc = useTRPC();
  const viewer = useViewer();
  const [typed, setTyped] = useState(EMPTY);
  const change = useMutation(
    trpc.account.changePassword.mutationOptions({
      onSuccess() {
        setTyped(EMPTY);
        toast.success("Password changed. Everywhere else you are signed out");
      },
    }),
  );
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(typed);
      }}
    >
      {/* So that a password manager knows whose it keeps. */}
      <input type="hidden" name="username" autoComplete="username" value={viewer.email} readOnly />
      <Field label="Current password" error={fieldError(change.error, "currentPassword")}>
        <Input
          type="password"
          value={typed.currentPassword}
          onChange={(event) => setTyped({ ...typed, currentPassword: event.target.value })}
          autoComplete="current-password"
          required
          maxLength={512}
          className="max-w-sm"
        />
      </Field>
      <Field
        label="New password"
        hint="At least 8 characters; longer is better."
        error={fieldError(change.error, "newPassword")}
      >
        <Input
          type="password"
          value={typed.newPassword}
          onChange={(event) => setTyped({ ...typed, newPassword: event.target.value })}
          autoComplete="new-password"
          required
          minLength={8}
          maxLength={512}
          className="max-w-sm"
        />
      </Field>
      <CallError
        error={change.error}
        what="The password was not changed"
        beside={["currentPassword", "newPassword"]}
      />
      <SubmitButton
        disabled={typed.currentPassword === "" || typed.newPassword === ""}
        pendingLabel={change.isPending && "Changing"}
      >
        Change password
      </SubmitButton>
    </form>
  );
}
