/** While something runs, people watch it. */
export const LIVE_MS = 1000;
/** Otherwise a page only needs to be right within moments. */
export const CALM_MS = 8000;
