/**
 * What GraphiQL's page gets from us: the site's theme, its accent, and panes below each other where a phone has no
 * room beside. It colours its editor once, when it begins, so the system's change of theme begins it anew; what
 * was typed is kept by itself.
 */

/** What its editor shows first. */
export const FIRST_QUERY = `# Queries and mutations run as you, with what your role allows.
# The book icon lists all there are.
{
  sources(limit: 10) {
    items { id name type status feedCount documentCount }
    nextAfter
  }
}
`;

/**
 * Runs before its own script. The choice of theme is the dashboard's cookie (components/theme.ts). The first query is
 * put where it keeps what was typed: until something is typed it would else greet every later visit with one more
 * empty tab.
 */
export const BEGINNING = `
if (localStorage.getItem("graphiql:query") === null) {
  localStorage.setItem("graphiql:query", ${JSON.stringify(FIRST_QUERY)});
}
const KEY = "graphiql:theme", OURS = "tidemark:graphiql-theme";
const chosen = /(?:^|; )tidemark-theme=(light|dark)/.exec(document.cookie)?.[1];
if (chosen) {
  localStorage.setItem(KEY, chosen);
  localStorage.setItem(OURS, chosen);
} else if (localStorage.getItem(OURS)) {
  localStorage.removeItem(KEY);
  localStorage.removeItem(OURS);
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  if (!localStorage.getItem(KEY)) location.reload();
});
`;

export const STYLE = `
:is(.graphiql-container, .graphiql-dialog).graphiql-container, .graphiql-dialog.graphiql-dialog { --color-primary: 190, 100%, 22%; }
body.graphiql-dark :is(.graphiql-container, .graphiql-dialog) { --color-primary: 184, 48%, 55%; }
@media (prefers-color-scheme: dark) {
  body:not(.graphiql-light) :is(.graphiql-container, .graphiql-dialog) { --color-primary: 184, 48%, 55%; }
}
@media (max-width: 767px) {
  .graphiql-container :is(.graphiql-main, #graphiql-session) { flex-direction: column; }
  .graphiql-container :is(.graphiql-horizontal-drag-bar, .graphiql-logo) { display: none; }
  .graphiql-container :is(.graphiql-plugin, .graphiql-editors, .graphiql-response) { min-height: 0; min-width: 0; }
}
`;

/** For who is not signed in. @param nonce of its style. */
export function signInPage(nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphiQL · Tidemark</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; }
body {
  display: grid; place-content: center; min-height: 90vh; margin: 0 auto; max-width: 24rem; padding: 0 1rem;
  font: 14px/20px system-ui, sans-serif;
  background: light-dark(oklch(0.985 0.005 210), oklch(0.18 0.015 215)); color: light-dark(oklch(0.25 0.02 220), oklch(0.93 0.01 210));
}
h1 { font-size: 20px; line-height: 28px; margin: 0; }
p { margin: 8px 0 0; }
a { color: light-dark(oklch(0.45 0.08 205), oklch(0.78 0.09 195)); }
code { font-size: 12px; overflow-wrap: anywhere; }
</style>
</head>
<body>
<main>
<h1>Sign in to use GraphiQL</h1>
<p><a href="/sign-in?next=%2Fapi%2Fgraphql">Sign in</a>, and this page opens.</p>
<p>Programs send queries here with POST and an API token: <code>Authorization: Bearer tdm_…</code></p>
</main>
</body>
</html>
`;
}
