import type { Metadata } from "next";
import { ButtonLink } from "@/components/button";
import { Logo } from "@/components/logo";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center px-6">
      <Logo size={32} />
      <h1 className="mt-4 text-xl font-semibold">There is nothing here</h1>
      <p className="mt-2 text-base text-ink-muted">
        The address may be mistyped, the thing may have been deleted, or it belongs to a workspace that you
        are not in.
      </p>
      <div className="mt-5">
        <ButtonLink href="/sources" variant="primary">
          Go to Sources
        </ButtonLink>
      </div>
    </main>
  );
}
