"use client";

import { useRouter } from "next/navigation";
import { signIn } from "next-auth/react";
import { useState } from "react";
import { Field, Input } from "@/components/field";
import { Notice } from "@/components/notice";
import { SubmitButton } from "@/components/submit-button";
import { describeSignInError } from "@/server/access/sign-in-error";

const UNREACHED = "The server could not be reached. Check that it runs, then try again.";

/** @param initialError What an earlier attempt left in the address. */
export function SignInForm({ returnTo, initialError }: { returnTo: string; initialError: string | null }) {
  const router = useRouter();
  const [error, setError] = useState(initialError && describeSignInError(initialError));
  const [isPending, setPending] = useState(false);

  async function submit(form: FormData) {
    setPending(true);
    setError(null);
    try {
      const answer = await signIn("credentials", {
        email: form.get("email"),
        password: form.get("password"),
        redirect: false,
      });
      if (answer?.ok && !answer.error) {
        // GraphiQL is no page of the router's, which would ask for one and stay here.
        if (returnTo.startsWith("/api/")) window.location.replace(returnTo);
        else {
          router.replace(returnTo);
          router.refresh();
        }
        return; // stay pending until the next page stands
      }
      setError(answer?.error ? describeSignInError(answer.error) : UNREACHED);
    } catch {
      setError(UNREACHED);
    }
    setPending(false);
  }

  return (
    <form
      className="mt-5 space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(new FormData(event.currentTarget));
      }}
    >
      <Field label="E-mail">
        <Input name="email" type="email" autoComplete="username" required autoFocus />
      </Field>
      <Field label="Password">
        <Input name="password" type="password" autoComplete="current-password" required />
      </Field>
      {error && <Notice tone="bad" announce title={error} />}
      <SubmitButton variant="primary" className="w-full" pendingLabel={isPending && "Signing in"}>
        Sign in
      </SubmitButton>
      <p className="text-xs text-ink-muted">
        Password forgotten? Whoever runs this server sets a new one with{" "}
        <code className="wrap-anywhere">npm run cli -- user reset-password --email you@example.org</code>.
      </p>
    </form>
  );
}
