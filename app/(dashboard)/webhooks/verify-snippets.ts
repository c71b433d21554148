export const SECRET_PLACEHOLDER = "whsec_YOUR_SECRET";

/** A receiver that verifies, for Node with the `standardwebhooks` package alone. */
export function nodeSnippet(secret: string | null): string {
  return `import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook("${secret ?? SECRET_PLACEHOLDER}");

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    // The body as it came, before any parsing: the signature covers its bytes.
    const event = webhook.verify(Buffer.concat(chunks).toString(), request.headers);
    console.log(request.headers["webhook-id"], event.type, event.data);
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end("bad signature");
  }
}).listen(8080);`;
}

/** The same check with Python's standard library alone. */
export function pythonSnippet(secret: string | null): string {
  return `import base64, hashlib, hmac, time

KEY = base64.b64decode("${secret ?? SECRET_PLACEHOLDER}".removeprefix("whsec_"))

def is_genuine(headers, body: bytes) -> bool:
    message_id, sent_at = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(sent_at)) > 300:
        return False
    signed = f"{message_id}.{sent_at}.".encode() + body
    expected = base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    given = headers["webhook-signature"].split(" ")
    return any(hmac.compare_digest(f"v1,{expected}", one) for one in given)`;
}
