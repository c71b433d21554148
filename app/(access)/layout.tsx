import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { Logo } from "@/components/logo";
import { parseTheme, THEME_COOKIE } from "@/components/theme";
import { ThemeSwitch } from "@/components/theme-switch";

/** The frame of the pages before sign-in: one form, nothing else. */
export default async function AccessLayout({ children }: { children: ReactNode }) {
  const theme = parseTheme((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-12 items-center justify-between px-4">
        <p className="flex items-center gap-2 text-base font-semibold tracking-[-0.01em]">
          <Logo />
          Tidemark
        </p>
        <ThemeSwitch initial={theme} />
      </header>
      <main className="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center px-4 pt-4 pb-24">
        {children}
      </main>
    </div>
  );
}
