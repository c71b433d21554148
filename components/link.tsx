import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link to a page of this app, which is fetched when the link is followed. Next itself asks for every page whose link
 * comes into view: fifteen to thirty requests a page here, and again whenever a table's address changes, for answers
 * that hold next to nothing, since no page has a part that could be sent ahead.
 */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />;
}
