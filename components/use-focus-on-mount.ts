"use client";

import { type RefObject, useEffect, useRef } from "react";

/**
 * For what replaces the control that was just pressed: without this the focus would be nowhere, and
 * the next Tab would start at the top of the page. The element needs `tabIndex={-1}` unless it is one
 * that takes the focus by itself.
 */
export function useFocusOnMount<Target extends HTMLElement>(): RefObject<Target | null> {
  const target = useRef<Target>(null);
  useEffect(() => target.current?.focus({ preventScroll: true }), []);
  return target;
}
