import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { SetupForm } from "@/app/(access)/setup/setup-form";
import { Link } from "@/components/link";
import { isLocalRequest } from "@/server/access/peer";
import { hasDemo, setupStatus } from "@/server/access/setup";
import { db } from "@/server/db";

export const metadata: Metadata = { title: "First visit" };

export default async function SetupPage() {
  if (!(await setupStatus(db())).needed) redirect("/sign-in");
  const isLocal = isLocalRequest(await headers());
  return (
    <>
      <h1 className="text-xl font-semibold tracking-[-0.01em]">Welcome to Tidemark</h1>
      <p className="mt-1 text-base text-ink-muted">
        You are the first here, so you become the owner. Others join by your invitation.
      </p>
      <SetupForm needsCode={!isLocal} />
      {(await hasDemo(db())) && (
        <p className="mt-4 text-sm text-ink-muted">
          Only looking around? <Link href="/sign-in">Sign in to the demo</Link>; the terminal shows how.
        </p>
      )}
    </>
  );
}
