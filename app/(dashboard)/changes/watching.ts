/** What no hint tells of, who polls and who waits, is asked for this often while the page is looked at. */
export const WATCHING_MS = 3_000;
