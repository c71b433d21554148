import { CopyButton } from "@/components/copy-button";

/** Code to run as it stands. */
export function Snippet({ code, label }: { code: string; label: string }) {
  return (
    <figure className="overflow-hidden rounded-md border border-line">
      <figcaption className="flex h-8 items-center justify-between border-b border-line bg-surface pr-1 pl-3 text-xs text-ink-muted">
        {label}
        <CopyButton text={code} label={`Copy ${label}`}>
          Copy
        </CopyButton>
      </figcaption>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={label}
        className="overflow-x-auto bg-sunken p-3"
      >
        <pre className="text-xs leading-5">
          <code>{code}</code>
        </pre>
      </section>
    </figure>
  );
}
