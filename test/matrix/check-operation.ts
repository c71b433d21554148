import { expect } from "vitest";
import type { Scope } from "@/server/access/principal";
import { type Callers, type Headers, ROLE_MAY } from "./callers";
import { type Ids, MARK, NOBODYS } from "./foreign-workspace";

/** What an operation needs, and what it answers to those who may. */
export type Expectation = {
  /** `public`: anyone; `anyone known`: whoever has access, whatever it is for. */
  scope: Scope | "public" | "anyone known";
  /** Tokens are refused, whatever their scopes; `owners`: of the roles that have the scope, owners alone are not. */
  only?: "people" | "owners";
  /** The status for who may, about ids that nobody has. */
  ok: number;
  /** The same about ids of another workspace. */
  foreign: number;
};

export type Operation = Expectation & {
  name: string;
  /** How it is called, and with what. Answers the status and all that was said. */
  call(headers: Headers, ids: Ids): Promise<{ status: number; text: string }>;
};

/**
 * Goes through a row of the matrix: everyone there is asks for the operation.
 *
 * @param sessions Do cookies count in this transport?
 */
export async function checkOperation(
  operation: Operation,
  callers: Callers,
  foreign: Ids,
  { sessions }: { sessions: boolean },
): Promise<void> {
  const { scope, ok, only } = operation;
  const found: Record<string, number> = {};
  const expected: Record<string, number> = {};
  const ask = async (who: string, headers: Headers, status: number, ids = NOBODYS) => {
    const answer = await operation.call(headers, ids);
    found[who] = answer.status;
    expected[who] = status;
    expect(answer.text.includes(MARK), `${operation.name} tells ${who} of another workspace`).toBe(false);
  };

  const refused = scope === "public" ? ok : 401;
  const isOpen = scope === "public" || scope === "anyone known";
  const asked = [
    ask("nobody", callers.nobody, refused),
    ask("an expired token", callers.expired, refused),
    ask("a revoked token", callers.revoked, refused),
    ask("another workspace", only ? callers.people.owner : callers.all, operation.foreign, foreign),
  ];
  if (!isOpen) {
    asked.push(
      ask("a token with only the scope", callers.only[scope], only ? 403 : ok),
      ask("a token with everything", callers.all, only ? 403 : ok),
      ask("a token without the scope", callers.without[scope], 403),
    );
  }
  for (const role of ["viewer", "member", "admin", "owner"] as const) {
    const may = isOpen || (ROLE_MAY[role].includes(scope) && (only !== "owners" || role === "owner"));
    asked.push(ask(`a ${role}`, callers.people[role], sessions ? (may ? ok : 403) : refused));
  }
  await Promise.all(asked);
  expect(found, operation.name).toEqual(expected);
}
