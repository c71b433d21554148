import { ButtonLink } from "@/components/button";

/** What a 404 says, inside the dashboard's frame and without it. */
export function NothingHere() {
  return (
    <>
      <h1 className="text-xl font-semibold">There is nothing here</h1>
      <p className="mt-2 text-base text-ink-muted">
        The address may be mistyped, the thing may have been deleted, or it belongs to a workspace that you
        are not in.
      </p>
      <div className="mt-5">
        <ButtonLink href="/sources" variant="primary">
          Go to Sources
        </ButtonLink>
      </div>
    </>
  );
}
