import { connect } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

/**
 * A thread that keeps many GET requests open, each on a socket of its own, and says when each was
 * answered. Apart from the server's thread, or the answers would wait for the last to be written before
 * the first could be read.
 */
const { urls, token } = workerData;
const sockets = [];
const answers = await Promise.all(urls.map(ask));
// Kept open until then, as clients that poll again keep theirs.
for (const socket of sockets) socket.destroy();
parentPort.postMessage(answers);

function ask(text) {
  const { hostname, port, pathname, search } = new URL(text);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    sockets.push(socket);
    let answeredAt = 0;
    let answer = "";
    socket.setEncoding("latin1"); // a character a byte, as Content-Length counts
    socket.write(
      `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    socket.on("data", (data) => {
      // Comparable between threads.
      answeredAt ||= performance.timeOrigin + performance.now();
      answer += data;
      const [head, body] = answer.split("\r\n\r\n");
      if (body?.length !== Number(/^content-length: *(\d+)/im.exec(head)?.[1])) return;
      resolve({
        status: Number(head.split(" ")[1]),
        body: Buffer.from(body, "latin1").toString(),
        answeredAt,
      });
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error(`closed after ${answer.length} bytes`)));
  });
}
