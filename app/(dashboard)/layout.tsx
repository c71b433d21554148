import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { BulkProvider } from "@/app/(dashboard)/_bulk/bulk-provider";
import { AccountMenu } from "@/app/(dashboard)/_components/account-menu";
import { CommandCenter } from "@/app/(dashboard)/_components/command/command-center";
import { ConnectionMark } from "@/app/(dashboard)/_components/connection-mark";
import { FollowViewer } from "@/app/(dashboard)/_components/follow-viewer";
import { BottomBar, Rail } from "@/app/(dashboard)/_components/navigation";
import { readViewer } from "@/app/(dashboard)/_lib/require-viewer";
import { ViewerProvider } from "@/app/(dashboard)/_lib/viewer";
import { Logo } from "@/components/logo";
import { parseTheme, THEME_COOKIE } from "@/components/theme";
import { ThemeSwitch } from "@/components/theme-switch";
import { Toasts } from "@/components/toasts";
import { LiveProvider } from "@/trpc/use-live";

/** The frame of every page behind sign-in: rail or bottom bar, header, content. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const viewer = await readViewer();
  if (!viewer) return children; // the page knows where it is and redirects from there
  const theme = parseTheme((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <ViewerProvider viewer={viewer}>
      <LiveProvider>
        <BulkProvider>
          <a
            href="#content"
            className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-raised focus:px-3 focus:py-2"
          >
            Skip to content
          </a>
          <div className="flex min-h-dvh">
            <Rail />
            <div className="min-w-0 flex-1">
              <header className="sticky top-0 z-20 flex h-12 items-center justify-between gap-3 border-b border-line bg-canvas px-4 md:px-6">
                <p className="flex min-w-0 items-center gap-2 text-sm font-medium">
                  <span className="md:hidden">
                    <Logo size={20} />
                  </span>
                  <span className="truncate">{viewer.workspaceName}</span>
                </p>
                <div className="flex items-center gap-1">
                  <ConnectionMark />
                  <CommandCenter />
                  <ThemeSwitch initial={theme} />
                  <AccountMenu />
                </div>
              </header>
              <main
                id="content"
                tabIndex={-1}
                className="mx-auto max-w-[1280px] px-4 py-5 outline-none max-md:pb-24 md:px-6"
              >
                {children}
              </main>
            </div>
          </div>
          <BottomBar />
          <FollowViewer />
          <Toasts />
        </BulkProvider>
      </LiveProvider>
    </ViewerProvider>
  );
}
