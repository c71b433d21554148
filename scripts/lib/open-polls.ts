import { Worker } from "node:worker_threads";

export type PollAnswer = {
  status: number;
  body: string;
  /** Milliseconds since 1970, with fractions. */
  answeredAt: number;
};

/** Opens many requests from a thread of its own. @returns the answers to all, in the order of `urls`. */
export function openPolls(urls: string[], token: string): Promise<PollAnswer[]> {
  const worker = new Worker(new URL("./poll-worker.mjs", import.meta.url), { workerData: { urls, token } });
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}
