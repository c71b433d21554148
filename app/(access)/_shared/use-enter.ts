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
      await signIn("credentials", { email, password: form.get("password"), redirect: false });
      router.replace("/overview");
      router.refresh();
    },
  });
}
