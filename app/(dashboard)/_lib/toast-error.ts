"use client";

import { readError } from "@/app/_shared/read-error";
import { toast } from "@/components/toast";

/** For acts from a list, where the row has no room for an explanation. */
export function toastError(error: unknown, what: string): void {
  const { message, requestId } = readError(error);
  toast.error(`${what}: ${message}`, {
    description: requestId ? `Request id ${requestId}` : undefined,
    duration: 12_000,
    closeButton: true,
  });
}
