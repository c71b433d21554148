import type { APIRequestContext } from "@playwright/test";

/** Calls a mutation as the signed-in person: for what a story needs but is not about. */
export async function mutate<Answer = unknown>(
  request: APIRequestContext,
  url: string,
  path: string,
  input: unknown,
): Promise<Answer> {
  const answer = await request.post(`${url}/api/trpc/${path}`, { data: { json: input } });
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`);
  const body = (await answer.json()) as { result: { data: { json: Answer } } };
  return body.result.data.json;
}

/** Reads a query as the signed-in person. */
export async function query<Answer = unknown>(
  request: APIRequestContext,
  url: string,
  path: string,
  input: unknown,
): Promise<Answer> {
  const encoded = encodeURIComponent(JSON.stringify({ json: input }));
  const answer = await request.get(`${url}/api/trpc/${path}?input=${encoded}`);
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`);
  const body = (await answer.json()) as { result: { data: { json: Answer } } };
  return body.result.data.json;
}
