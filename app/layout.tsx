import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "@/app/globals.css";
import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { ClockProvider } from "@/components/clock";
import { StyleNonce } from "@/components/style-nonce";
import { parseTheme, THEME_COOKIE } from "@/components/theme";
import { TRPCReactProvider } from "@/trpc/client";

export const metadata: Metadata = {
  title: { template: "%s · Tidemark", default: "Tidemark" },
  description:
    "A self-hosted sync store: it pulls documents, never loses its place, and serves every change.",
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fafbfb" },
    { media: "(prefers-color-scheme: dark)", color: "#0b1214" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // The theme comes with the request, so the first paint is right without a script.
  const theme = parseTheme((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <html lang="en" data-theme={theme === "system" ? undefined : theme} suppressHydrationWarning>
      <body>
        <StyleNonce />
        <NuqsAdapter>
          <TRPCReactProvider>
            <ClockProvider serverNow={Date.now()}>{children}</ClockProvider>
          </TRPCReactProvider>
        </NuqsAdapter>
      </body>
    </html>
  );
}
