import { SCOPES, type Scope } from "@/server/access/principal";
import { createToken } from "@/server/access/tokens";
import type { Caller } from "@/server/actor";
import type { Db } from "@/server/db";
import { createRestApp } from "@/server/rest/app";

export type Answer = {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as JSON of any shape
  body: any;
};

export type RequestOptions = { body?: unknown; raw?: string | Uint8Array; headers?: Record<string, string> };

/** Calls the REST app without a server, as the bearer of a token. */
export class RestClient {
  readonly #app: ReturnType<typeof createRestApp>;

  constructor(
    db: Db,
    readonly token: string | null,
    app = createRestApp(() => db),
  ) {
    this.#app = app;
  }

  static async create(db: Db, caller: Caller, scopes: readonly Scope[] = SCOPES): Promise<RestClient> {
    const { token } = await createToken(db, caller, { name: "test", scopes });
    return new RestClient(db, token);
  }

  async request(
    method: string,
    path: string,
    { body, raw, headers = {} }: RequestOptions = {},
  ): Promise<Answer> {
    const response = await this.#app.request(`/api/v1${path}`, {
      method,
      headers: { ...(this.token && { authorization: `Bearer ${this.token}` }), ...headers },
      body: raw !== undefined ? (raw as string) : body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") ?? false;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  get = (path: string) => this.request("GET", path);
  post = (path: string, body?: unknown) => this.request("POST", path, { body });
  patch = (path: string, body: unknown) => this.request("PATCH", path, { body });
  delete = (path: string) => this.request("DELETE", path);
}
