import { connect } from "node:net";

export type RawAnswer = { status: number; body: string; firstByteAt: number };

/**
 * GET on a socket of its own, without a client library: hundreds of requests in the process that also
 * serves them must not take longer to read than to answer.
 */
export function rawGet(
  url: string,
  { token, signal }: { token: string; signal?: AbortSignal },
): Promise<RawAnswer> {
  const { hostname, port, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), signal });
    let firstByteAt = 0;
    let text = "";
    socket.setEncoding("utf8");
    socket.write(
      `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
    );
    socket.on("data", (data) => {
      firstByteAt ||= performance.now();
      text += data;
    });
    socket.on("error", reject);
    socket.on("close", () => {
      const [head = "", body = ""] = text.split("\r\n\r\n");
      resolve({ status: Number(head.split(" ")[1]), body, firstByteAt });
    });
  });
}
