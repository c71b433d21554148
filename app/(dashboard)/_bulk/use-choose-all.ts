"use client";

import { useState } from "react";
import { toastError } from "@/app/(dashboard)/_lib/toast-error";
import { countOf } from "@/components/numbers";
import { toast } from "@/components/toast";

/** Everything that a list's filters match; `truncated` when there is more than anyone can choose. */
export type Matching<Chosen> = { items: Chosen[]; truncated: boolean };

/** "Choose all that match", over all pages of a list. */
export function useChooseAll<Chosen>(
  find: () => Promise<Matching<Chosen>>,
  onChoose: (items: Chosen[]) => void,
  noun: string,
): { chooseAll(): void; isChoosing: boolean } {
  const [isChoosing, setChoosing] = useState(false);
  async function chooseAll() {
    setChoosing(true);
    try {
      const { items, truncated } = await find();
      onChoose(items);
      if (truncated) toast.plain(`There are more: only the first ${countOf(items.length, noun)} are chosen.`);
    } catch (error) {
      toastError(error, `The ${noun}s could not be chosen`);
    } finally {
      setChoosing(false);
    }
  }
  return { chooseAll: () => void chooseAll(), isChoosing };
}
