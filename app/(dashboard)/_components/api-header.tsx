"use client";

import type { ReactNode } from "react";
import { OutsideLink, SectionNav } from "@/app/(dashboard)/_components/section-nav";
import { useViewer } from "@/app/(dashboard)/_lib/viewer";
import { PageHeader } from "@/components/page-header";

const PAGES = [
  { href: "/tokens", label: "Tokens" },
  { href: "/webhooks", label: "Webhooks" },
];

/** What programs need: keys, being told, and where everything is written down and can be tried. */
export function ApiHeader({ actions }: { actions?: ReactNode }) {
  const { baseUrl } = useViewer();
  return (
    <>
      <PageHeader
        title="API"
        meta={
          <span>
            Programs reach this workspace at{" "}
            <code className="text-xs wrap-anywhere">
              {baseUrl}
              <wbr />
              /api/v1
            </code>
          </span>
        }
        actions={actions}
      />
      <SectionNav label="API" pages={PAGES}>
        <OutsideLink href="/docs/authentication">Guides</OutsideLink>
        <OutsideLink href="/docs">API reference</OutsideLink>
        <OutsideLink href="/api/graphql">GraphiQL</OutsideLink>
      </SectionNav>
    </>
  );
}
