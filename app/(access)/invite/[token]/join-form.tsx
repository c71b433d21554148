"use client";

import { useMutation } from "@tanstack/react-query";
import { CallError } from "@/app/_shared/call-error";
import { fieldError } from "@/app/_shared/read-error";
import { NewPasswordField } from "@/app/(access)/_shared/new-password-field";
import { useEnter } from "@/app/(access)/_shared/use-enter";
import { Field, Input } from "@/components/field";
import { SubmitButton } from "@/components/submit-button";
import { useTRPC } from "@/trpc/client";

/** Makes the account that the link is for, then signs in with what was just typed. */
export function JoinForm({ token, email }: { token: string; email: string }) {
  const trpc = useTRPC();
  const accept = useMutation(trpc.people.acceptInvitation.mutationOptions());
  const enter = useEnter((form) =>
    accept.mutateAsync({
      token,
      name: String(form.get("name")),
      password: String(form.get("password")),
    }),
  );
  const { error } = accept;
  return (
    <form
      className="mt-5 space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        enter.mutate(new FormData(event.currentTarget));
      }}
    >
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <Field label="Your name" error={fieldError(error, "name")}>
        <Input name="name" required maxLength={100} autoComplete="name" autoFocus />
      </Field>
      <NewPasswordField error={error} />
      <CallError error={error} what="You have not joined" beside={["name", "password"]} />
      <SubmitButton
        variant="primary"
        className="w-full"
        pendingLabel={(enter.isPending || enter.isSuccess) && "Joining"}
      >
        Join
      </SubmitButton>
    </form>
  );
}
