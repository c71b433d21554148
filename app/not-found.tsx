import type { Metadata } from "next";
import { NothingHere } from "@/app/_shared/nothing-here";
import { Logo } from "@/components/logo";

export const metadata: Metadata = { title: "Not found" };

/** For addresses that no page has. */
export default function NotFound() {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center px-6">
      <span className="mb-4">
        <Logo size={32} />
      </span>
      <NothingHere />
    </main>
  );
}
