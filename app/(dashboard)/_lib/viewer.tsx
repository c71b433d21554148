"use client";

import { createContext, type ReactNode, use } from "react";
import type { ROLES } from "@/server/people/choices";

export type Role = (typeof ROLES)[number];

/** Who looks, and what to show them. The server checks every act again. */
export type Viewer = {
  id: string;
  name: string;
  email: string;
  role: Role;
  workspaceId: number;
  workspaceName: string;
  /** May change sources, feeds and documents. */
  canWrite: boolean;
  /** May also decide held deletes and manage tokens, webhooks, people and settings. */
  canAdmin: boolean;
  /** How programs reach this server; no trailing slash. */
  baseUrl: string;
};

const ViewerContext = createContext<Viewer | null>(null);

export function ViewerProvider({ viewer, children }: { viewer: Viewer; children: ReactNode }) {
  return <ViewerContext value={viewer}>{children}</ViewerContext>;
}

export function useViewer(): Viewer {
  const viewer = use(ViewerContext);
  if (!viewer) throw new Error("useViewer needs the dashboard's layout around it");
  return viewer;
}
