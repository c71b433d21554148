import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { safeReturnTo } from "@/app/(access)/sign-in/safe-return-to";
import { SignInForm } from "@/app/(access)/sign-in/sign-in-form";
import { getSessionPrincipal } from "@/server/access/session";
import { hasDemo, setupStatus } from "@/server/access/setup";
import { db } from "@/server/db";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { next, callbackUrl, error } = await searchParams;
  const returnTo = safeReturnTo(next ?? callbackUrl);
  if (await getSessionPrincipal()) redirect(returnTo);
  if ((await setupStatus(db())).needed && !(await hasDemo(db()))) redirect("/setup");
  return (
    <>
      <h1 className="text-xl font-semibold tracking-[-0.01em]">Sign in</h1>
      <SignInForm returnTo={returnTo} initialError={typeof error === "string" ? error : null} />
    </>
  );
}
