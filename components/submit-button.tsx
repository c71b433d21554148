"use client";

import type { ComponentProps } from "react";
import { Button } from "@/components/button";
import { useIsBrowser } from "@/components/clock";

/**
 * Sends a form that the server has drawn, once its script listens. A press before that would have the browser send the
 * form by itself: nothing would come of it, and what was typed would stand in the address.
 */
export function SubmitButton({ disabled, ...rest }: ComponentProps<typeof Button>) {
  const isHeard = useIsBrowser();
  return <Button {...rest} type="submit" disabled={disabled || !isHeard} />;
}
