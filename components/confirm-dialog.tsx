"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useEffect, useState } from "react";
import { whenIdle } from "@/components/when-idle";

const loadQuestion = () => import("@/components/question");
const Question = dynamic(() => loadQuestion().then((module) => module.Question), { ssr: false });

export type ConfirmDialogProps = {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  effect: ReactNode;
  actionLabel: string;
  pendingLabel: string;
  isPending: boolean;
  /** The name that must be typed; absent where the act can be undone. */
  typeName?: string;
  error?: ReactNode;
  onConfirm(): void;
};

/**
 * A question before a destructive act: its exact effect, and the thing's name to type where the act
 * cannot be undone. The button names the act ("Delete Harbour news"), never "OK".
 *
 * What draws it is fetched when the page rests, since most visits ask nothing.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const [wasOpen, setWasOpen] = useState(props.open);
  // Once asked it stays, so that closing can give the focus back.
  if (props.open && !wasOpen) setWasOpen(true);
  useEffect(() => whenIdle(() => void loadQuestion()), []);
  return wasOpen ? <Question {...props} /> : null;
}
