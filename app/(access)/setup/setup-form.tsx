"use client";

import { useMutation } from "@tanstack/react-query";
import { CallError } from "@/app/_shared/call-error";
import { fieldError } from "@/app/_shared/read-error";
import { NewPasswordField } from "@/app/(access)/_shared/new-password-field";
import { useEnter } from "@/app/(access)/_shared/use-enter";
import { Field, Input } from "@/components/field";
import { SubmitButton } from "@/components/submit-button";
import { useTRPC } from "@/trpc/client";

/** Creates the owner and the workspace, then signs in with what was just typed. */
export function SetupForm({ needsCode }: { needsCode: boolean }) {
  const trpc = useTRPC();
  const createOwner = useMutation(trpc.setup.createOwner.mutationOptions());
  const enter = useEnter(async (form) => {
    const email = String(form.get("email"));
    await createOwner.mutateAsync({
      email,
      password: String(form.get("password")),
      name: String(form.get("name")),
      workspaceName: String(form.get("workspaceName")),
      ...(needsCode ? { code: String(form.get("code")).trim() } : {}),
    });
    return { email };
  });
  const { error } = createOwner;

  return (
    <form
      className="mt-5 space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        enter.mutate(new FormData(event.currentTarget));
      }}
    >
      {needsCode && (
        <Field
          label="Set-up code"
          hint="Printed in the terminal where Tidemark was started. It proves that the server is yours."
          error={fieldError(error, "code")}
        >
          <Input name="code" required autoComplete="off" className="font-mono" autoFocus />
        </Field>
      )}
      <Field label="Your name" error={fieldError(error, "name")}>
        <Input name="name" required maxLength={100} autoComplete="name" autoFocus={!needsCode} />
      </Field>
      <Field label="E-mail" error={fieldError(error, "email")}>
        <Input name="email" type="email" required autoComplete="username" />
      </Field>
      <NewPasswordField error={error} />
      <Field
        label="Workspace"
        hint="What your sources and documents belong to, such as your team’s name."
        error={fieldError(error, "workspaceName")}
      >
        <Input name="workspaceName" required maxLength={100} />
      </Field>
      <CallError error={error} beside={["code", "name", "email", "password", "workspaceName"]} />
      <SubmitButton
        variant="primary"
        className="w-full"
        pendingLabel={(enter.isPending || enter.isSuccess) && "Creating the workspace"}
      >
        Create owner and workspace
      </SubmitButton>
    </form>
  );
}
