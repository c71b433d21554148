import type { Metadata } from "next";
import { cookies } from "next/headers";
import Link from "next/link";
import { Logo } from "@/components/logo";
import { parseTheme, THEME_COOKIE } from "@/components/theme";
import { ThemeSwitch } from "@/components/theme-switch";
import { ApiReference } from "./api-reference";

export const metadata: Metadata = { title: "API reference" };

/** The API's description for people. Open to everyone, as openapi.json is: it tells nothing about data. */
export default async function DocsPage() {
  const theme = parseTheme((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <>
      <header className="flex h-12 items-center justify-between px-4">
        <Link href="/" className="flex items-center gap-2 text-base font-semibold tracking-[-0.01em]">
          <Logo />
          Tidemark
        </Link>
        <ThemeSwitch initial={theme} />
      </header>
      <main className="mx-auto w-full max-w-5xl px-4 pb-24">
        <h1 className="mt-4 text-xl font-semibold">API reference</h1>
        <p className="mt-2 max-w-prose text-ink-muted">
          Every operation with its parameters, answers and errors. “Try it out” sends real requests to this
          server: choose “Authorize” and paste a token. It stays in this page and is forgotten when you leave.
          The same as data:{" "}
          <a className="underline" href="/api/v1/openapi.json">
            openapi.json
          </a>
          .
        </p>
        <ApiReference />
      </main>
    </>
  );
}
