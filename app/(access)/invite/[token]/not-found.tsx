import type { Metadata } from "next";
import { ButtonLink } from "@/components/button";

export const metadata: Metadata = { title: "Not found" };

export default function InvitationNotFound() {
  return (
    <>
      <h1 className="text-xl font-semibold tracking-[-0.01em]">This invitation does not hold any more</h1>
      <p className="mt-1 text-base text-ink-muted">
        It was used, withdrawn or is older than a week, or the link is not whole. Ask whoever invited you for
        a new one. If you joined with it, sign in.
      </p>
      <div className="mt-5">
        <ButtonLink href="/sign-in" variant="primary">
          Sign in
        </ButtonLink>
      </div>
    </>
  );
}
