"use client";

import type { ReactNode } from "react";
import { SectionNav } from "@/app/(dashboard)/_components/section-nav";
import { PageHeader } from "@/components/page-header";

const PAGES = [
  { href: "/settings", label: "Workspace" },
  { href: "/settings/people", label: "People" },
  { href: "/settings/account", label: "Your account" },
];

export function SettingsHeader({ actions }: { actions?: ReactNode }) {
  return (
    <>
      <PageHeader title="Settings" actions={actions} />
      <SectionNav label="Settings" pages={PAGES} />
    </>
  );
}
