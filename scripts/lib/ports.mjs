import { connect, createServer } from "node:net";

/** A port nobody listens on at this moment. Whoever uses it must cope with losing it again. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/**
 * Does anybody answer on this port of this machine? Asked of both loopback addresses: a program on
 * [::1] alone would not stop us from listening on 127.0.0.1, but would get the browser's visits.
 */
export async function isPortTaken(port) {
  const answers = await Promise.all(["127.0.0.1", "::1"].map((host) => answersOn(host, port)));
  return answers.includes(true);
}

function answersOn(host, port) {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1_000 });
    const settle = (taken) => {
      socket.destroy();
      resolve(taken);
    };
    socket.once("connect", () => settle(true));
    socket.once("timeout", () => settle(true));
    socket.once("error", () => settle(false));
  });
}
