import { setTimeout as delay } from "node:timers/promises";

export type Answer = { status: number; body: Record<string, unknown> };

/** Speaks REST with a token. `send` tries once; `insist` goes on until the server gave a definite answer. */
export type RestClient = {
  /** @throws when there is no answer: the connection was refused or broke. */
  send(method: string, path: string, body?: unknown): Promise<Answer>;
  insist(method: string, path: string, body?: unknown): Promise<Answer>;
};

const PATIENCE_MS = 60_000;

export function createRestClient(baseUrl: () => string, token: string): RestClient {
  async function send(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${baseUrl()}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    return { status: response.status, body: text ? JSON.parse(text) : {} };
  }

  async function insist(method: string, path: string, body?: unknown): Promise<Answer> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const answer = await send(method, path, body).catch((error: unknown) => error);
      if (isAnswer(answer) && answer.status < 500) return answer;
      if (Date.now() > deadline) {
        throw new Error(
          `no answer to ${method} ${path}: ${isAnswer(answer) ? JSON.stringify(answer) : answer}`,
        );
      }
      await delay(50);
    }
  }
  return { send, insist };
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === "object" && value !== null && "status" in value && "body" in value;
}

/** @returns the answer's body. @throws unless it has the status that is expected. */
export function expectStatus(answer: Answer, ...expected: number[]): Record<string, unknown> {
  if (expected.includes(answer.status)) return answer.body;
  throw new Error(`expected ${expected.join(" or ")}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

export const textOf = (value: unknown): string => {
  if (typeof value === "string") return value;
  throw new Error(`not a string: ${JSON.stringify(value)}`);
};
