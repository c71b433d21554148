import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { JoinForm } from "@/app/(access)/invite/[token]/join-form";
import { getSessionPrincipal } from "@/server/access/session";
import { db } from "@/server/db";
import { readInvitation } from "@/server/people/accept-invitation";

export const metadata: Metadata = { title: "Invitation" };

/** Where a link leads that an admin handed on. */
export default async function InvitePage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const invitation = await readInvitation(db(), token);
  if (!invitation) notFound();
  const present = await getSessionPrincipal();
  return (
    <>
      <h1 className="text-xl font-semibold tracking-[-0.01em] break-words">
        Join {invitation.workspaceName} on Tidemark
      </h1>
      <p className="mt-1 text-base text-ink-muted">
        {invitation.invitedBy} invites you as {withArticle(invitation.role)}. Choose how you are called and a
        password; you sign in with {invitation.email}.
      </p>
      {present && (
        <p className="mt-2 text-sm text-warn">
          This browser is signed in as somebody else. Joining signs that person out here.
        </p>
      )}
      <JoinForm token={token} email={invitation.email} />
    </>
  );
}

function withArticle(role: string): string {
  return /^[aeiou]/.test(role) ? `an ${role}` : `a ${role}`;
}
