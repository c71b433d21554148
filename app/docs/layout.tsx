import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { GuideNav } from "@/app/docs/guide-nav";
import { Link } from "@/components/link";
import { Logo } from "@/components/logo";
import { parseTheme, THEME_COOKIE } from "@/components/theme";
import { ThemeSwitch } from "@/components/theme-switch";

/** The frame of what is written for programmers. Open to everyone, as openapi.json is: it tells nothing about data. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  const theme = parseTheme((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <>
      <header className="flex h-12 items-center justify-between px-4 md:px-6">
        <Link
          href="/"
          className="flex items-center gap-2 text-base font-semibold tracking-[-0.01em] no-underline"
        >
          <Logo />
          Tidemark
        </Link>
        <ThemeSwitch initial={theme} />
      </header>
      <div className="mx-auto flex w-full max-w-[1280px] gap-8 px-4 pb-24 max-lg:flex-col max-lg:gap-4 md:px-6">
        <GuideNav />
        <main className="min-w-0 flex-1">{children}</main>
      </div>
    </>
  );
}
