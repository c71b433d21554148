export const TOKEN_PLACEHOLDER = "YOUR_TOKEN";

type Push = { baseUrl: string; feedId: string; token: string | null };

/** The example document; its version makes a second run a no-op instead of a new version. */
const EXAMPLE = {
  documents: [{ id: "hello-1", version: "1", title: "Hello, Tidemark", text: "My first pushed document." }],
};

/** A push for any POSIX shell. Single quotes keep the JSON as it is; ids and tokens hold none. */
export function curlSnippet({ baseUrl, feedId, token }: Push): string {
  return [
    `curl -sS ${baseUrl}/api/v1/feeds/${feedId}/documents \\`,
    `  -H 'Authorization: Bearer ${token ?? TOKEN_PLACEHOLDER}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(EXAMPLE)}'`,
  ].join("\n");
}

/** The same with Python's standard library alone. */
export function pythonSnippet({ baseUrl, feedId, token }: Push): string {
  return `import json
import urllib.request

request = urllib.request.Request(
    "${baseUrl}/api/v1/feeds/${feedId}/documents",
    data=json.dumps({
        "documents": [
            {"id": "hello-1", "version": "1", "title": "Hello, Tidemark", "text": "My first pushed document."}
        ]
    }).encode(),
    headers={
        "Authorization": "Bearer ${token ?? TOKEN_PLACEHOLDER}",
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as answer:
    print(answer.read().decode())`;
}
