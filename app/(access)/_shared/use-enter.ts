"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { signIn } from "next-auth/react";

/**
 * Makes an account of what was typed, then signs in with it. Pending until the next page stands.
 *
 * @param create answers the e-mail to sign in with.
 */
export function useEnter(create: (form: FormData) => Promise<{ email: string }>) {
  const router = useRouter();
  return useMutation({
    async mutationFn(form: FormData) {
      const { email } = await create(form);
      const result = await signIn("credentials", { email, password: form.get("password"), redirect: false });
      // Refused, after too many tries from here say: somebody else's session must not look like the new one.
      router.replace(result?.ok ? "/overview" : "/sign-in");
      router.refresh();
    },
  });
}
