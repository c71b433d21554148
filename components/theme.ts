export const THEME_COOKIE = "tidemark-theme";

export type Theme = "system" | "light" | "dark";

export function parseTheme(value: string | undefined): Theme {
  return value === "light" || value === "dark" ? value : "system";
}

const YEAR_SECONDS = 31_536_000;

/** Applies the choice at once and keeps it for the server's next first paint. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not there on plain http
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
  for (const notify of listeners) notify();
}

const listeners = new Set<() => void>();

/** For useSyncExternalStore: the theme is chosen in more than one place. */
export function subscribeTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function readTheme(): Theme {
  return parseTheme(document.documentElement.dataset.theme);
}
