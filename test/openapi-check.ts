import { Ajv2020 } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { expect } from "vitest";
import type { Route } from "@/server/rest/define-route";

type Answered = { status: number; headers: Headers; body: unknown };
type Json = Record<string, unknown>;

export type ApiDescription = {
  document: Json;
  /** The same for an address outside the routes' table. */
  expectOperation(path: string, method: string, answer: Answered): void;
  /** The answer's status, media type and body are those that the document names. */
  expectAnswer(route: Pick<Route, "method" | "path">, answer: Answered): void;
};

/** Compares answers with an OpenAPI document. Members that it does not name are an error. */
export function readApiDescription(document: Json): ApiDescription {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "openapi", ...document });
  const description: ApiDescription = {
    document,
    expectAnswer: ({ method, path }, answer) => description.expectOperation(`/api/v1${path}`, method, answer),
    expectOperation(path, method, { status, headers, body }) {
      const name = `${method} ${path}`;
      const pointer = `/paths/${encode(path)}/${method}/responses/${status}`;
      const response = resolve(document, pointer) as { content?: Record<string, Json> } | undefined;
      expect(
        response,
        `${name} answered ${status}, which is not documented: ${JSON.stringify(body)}`,
      ).toBeDefined();
      const type = headers.get("content-type")?.split(";")[0];
      if (!type) return;
      const media = response?.content?.[type];
      expect(media, `${name} ${status} answered ${type}, which is not documented`).toBeDefined();
      if (!media?.schema) return;
      const validate = ajv.getSchema(`openapi#${pointer}/content/${encode(type)}/schema`);
      if (!validate) throw new Error(`no schema at ${pointer}`);
      const isValid = validate(body);
      expect(isValid, `${name} ${status}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`).toBe(
        true,
      );
      expect(unknownMembers(document, media.schema as Json, body), `${name} ${status}`).toEqual([]);
    },
  };
  return description;
}

function encode(part: string): string {
  return part.replaceAll("~", "~0").replaceAll("/", "~1");
}

function resolve(document: Json, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((at, part) => (at as Json | undefined)?.[part], document);
}

/** Paths of members that no schema names, where the schema names any at all. */
function unknownMembers(document: Json, schema: Json, value: unknown, at = ""): string[] {
  if (Array.isArray(value)) {
    const items = variants(document, schema).flatMap(({ items }) => (items ? [items as Json] : []));
    return value.flatMap((item, index) =>
      items[0] ? unknownMembers(document, items[0], item, `${at}[${index}]`) : [],
    );
  }
  if (typeof value !== "object" || value === null) return [];
  const parts = variants(document, schema);
  if (parts.some(({ additionalProperties }) => additionalProperties)) return [];
  const known: Json = Object.assign({}, ...parts.map(({ properties }) => properties ?? {}));
  if (Object.keys(known).length === 0 || ("code" in known === true && "requestId" in known)) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const of = known[name] as Json | undefined;
    return of ? unknownMembers(document, of, item, `${at}.${name}`) : [`${at}.${name}`];
  });
}

/** A schema's own parts, references followed, all branches together. */
function variants(document: Json, schema: Json): Json[] {
  if (typeof schema.$ref === "string") {
    return variants(document, resolve(document, schema.$ref.slice(1)) as Json);
  }
  const branches = [schema.allOf, schema.anyOf, schema.oneOf].flatMap(
    (list) => (list as Json[] | undefined) ?? [],
  );
  return [schema, ...branches.flatMap((branch) => variants(document, branch))];
}
