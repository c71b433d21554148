const PAGES = { src: "sources", feed: "feeds", run: "runs", doc: "documents", whk: "webhooks" } as const;
const WORDS = { src: "source", feed: "feed", run: "run", doc: "document", whk: "webhook" } as const;

/** The page of a pasted id, whatever stands around it (a log line, a URL); null when there is none. */
export function findIdTarget(text: string): { id: string; href: string; word: string } | null {
  const match = /\b(src|feed|run|doc|whk)_[0-9a-z]{26}\b/.exec(text);
  if (!match) return null;
  const kind = match[1] as keyof typeof PAGES;
  return { id: match[0], href: `/${PAGES[kind]}/${match[0]}`, word: WORDS[kind] };
}
