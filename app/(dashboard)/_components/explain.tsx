import type { ReactNode } from "react";
import { GLOSSARY, type TermName } from "@/app/(dashboard)/_lib/glossary";
import { Term } from "@/components/term";

/** A word of the field, explained where a page uses it first. */
export function Explain({ term, children }: { term: TermName; children: ReactNode }) {
  return <Term meaning={GLOSSARY[term]}>{children}</Term>;
}
