import { connect } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

/**
 * A thread that keeps many GET requests open, each on a socket of its own, and says when each was
 * answered. Apart from the server's thread, or the answers would wait for the last to be written before
 * the first could be read.
 */
const { urls, token } = workerData;
const answers = await Promise.all(urls.map(ask));
parentPort.postMessage(answers);

function ask(text) {
  const { hostname, port, pathname, search } = new URL(text);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let answeredAt = 0;
    let answer = "";
    socket.setEncoding("utf8");
    socket.write(
      `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
    );
    socket.on("data", (data) => {
      // Comparable between threads.
      answeredAt ||= performance.timeOrigin + performance.now();
      answer += data;
    });
    socket.on("error", reject);
    socket.on("close", () => {
      const [head = "", body = ""] = answer.split("\r\n\r\n");
      resolve({ status: Number(head.split(" ")[1]), body, answeredAt });
    });
  });
}
