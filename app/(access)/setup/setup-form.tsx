"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { signIn } from "next-auth/react";
import { CallError } from "@/app/_shared/call-error";
import { fieldError } from "@/app/_shared/read-error";
import { Button } from "@/components/button";
import { Field, Input } from "@/components/field";
import { useTRPC } from "@/trpc/client";

/** Creates the owner and the workspace, then signs in with what was just typed. */
export function SetupForm({ needsCode }: { needsCode: boolean }) {
  const trpc = useTRPC();
  const router = useRouter();
  const createOwner = useMutation(trpc.setup.createOwner.mutationOptions());
  const enter = useMutation({
    async mutationFn(form: FormData) {
      const email = String(form.get("email"));
      const password = String(form.get("password"));
      await createOwner.mutateAsync({
        email,
        password,
        name: String(form.get("name")),
        workspaceName: String(form.get("workspaceName")),
        ...(needsCode ? { code: String(form.get("code")).trim() } : {}),
      });
      await signIn("credentials", { email, password, redirect: false });
      router.replace("/overview");
      router.refresh();
    },
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
      <Field
        label="Password"
        hint="At least 8 characters; longer is better."
        error={fieldError(error, "password")}
      >
        <Input name="password" type="password" required minLength={8} autoComplete="new-password" />
      </Field>
      <Field
        label="Workspace"
        hint="What your sources and documents belong to, such as your team’s name."
        error={fieldError(error, "workspaceName")}
      >
        <Input name="workspaceName" required maxLength={100} />
      </Field>
      <CallError error={error} beside={["code", "name", "email", "password", "workspaceName"]} />
      <Button
        type="submit"
        variant="primary"
        className="w-full"
        pendingLabel={(enter.isPending || enter.isSuccess) && "Creating the workspace"}
      >
        Create owner and workspace
      </Button>
    </form>
  );
}
