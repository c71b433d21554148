/** The mark: a gauge's pole with the waterline against it. */
export function Logo({ size = 22 }: { size?: number }) {
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 24 24" fill="none" className="text-accent">
      <rect x="0.75" y="0.75" width="22.5" height="22.5" rx="5.25" stroke="currentColor" strokeWidth="1.5" />
      <path
        d="M6 4.5v15M6 6.5h3M6 10h2M6 13.5h3M6 17h2"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
      <path
        d="M10.5 13.4c1.4-1.6 2.8-1.6 4.2 0s2.8 1.6 4.2 0"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
      <path
        d="M10.5 17c1.4-1.6 2.8-1.6 4.2 0s2.8 1.6 4.2 0"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        opacity="0.5"
      />
    </svg>
  );
}
