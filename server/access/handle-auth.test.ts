import { beforeAll, expect, it } from "vitest";
import type { Db } from "@/server/db";
import { newId } from "@/server/ids";
import { useDatabase } from "@/test/database";
import { createUser } from "./create-user";
import { handleAuth } from "./handle-auth";
import { readSession } from "./read-session";
import { describeSignInError } from "./sign-in-error";
import { signOutEverywhere } from "./users";

const t = useDatabase();
// The route takes the process's own client; here that is the test's.
beforeAll(() => {
  (globalThis as typeof globalThis & { __tidemarkDb?: Db }).__tidemarkDb = t.db;
});

/** A browser as far as cookies go. */
function aBrowser(origin = "http://localhost:4123") {
  const cookies = new Map<string, string>();
  const { host, protocol } = new URL(origin);
  const address = newId("usr");

  async function request(path: string, form?: Record<string, string>, headers: Record<string, string> = {}) {
    const response = await handleAuth(
      new Request(`${origin}/api/auth/${path}`, {
        method: form ? "POST" : "GET",
        body: form ? new URLSearchParams(form) : undefined,
        headers: {
          host,
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
          // As Next and serve.mjs fill them in.
          "x-forwarded-host": host,
          "x-forwarded-proto": protocol.slice(0, -1),
          "x-tidemark-peer": address,
          ...headers,
        },
      }),
      path.split("?")[0]?.split("/") ?? [],
    );
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  async function signIn(email: string, password: string) {
    const { csrfToken } = (await (await request("csrf")).json()) as { csrfToken: string };
    const form = { csrfToken, email, password, json: "true", callbackUrl: `${origin}/sources` };
    const response = await request("callback/credentials", form);
    const { url } = (await response.json()) as { url: string };
    return { response, url, error: new URL(url).searchParams.get("error") };
  }
  return { cookies, request, signIn };
}

async function aPerson() {
  const email = `${newId("usr")}@example.org`;
  const created = await createUser(t.db, { type: "cli" }, { email, password: "ebb and flow", role: "owner" });
  return { email, ...created };
}

it.each(["http://localhost:4123", "http://127.0.0.1:8080", "http://harbour.lan"])(
  "signs in and out on %s, with cookies that scripts and other sites do not get",
  async (origin) => {
    const { email, userId } = await aPerson();
    const browser = aBrowser(origin);
    const { response, url } = await browser.signIn(email, "ebb and flow");
    expect(response.status).toBe(200);
    expect(url).toBe(`${origin}/sources`);
    const cookie = response.headers
      .getSetCookie()
      .find((line) => line.startsWith("next-auth.session-token="));
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Lax/);
    expect(cookie).toMatch(/Path=\//);
    expect(cookie).not.toMatch(/Secure|Domain/);

    const principal = await readSession(t.db, Object.fromEntries(browser.cookies), { isSecure: false });
    expect(principal?.userId).toBe(userId);
    expect(await (await browser.request("session")).json()).toEqual({ expires: expect.any(String) });

    const { csrfToken } = (await (await browser.request("csrf")).json()) as { csrfToken: string };
    await browser.request("signout", { csrfToken, json: "true" });
    expect(browser.cookies.has("next-auth.session-token")).toBe(false);
  },
);

it("marks the cookies Secure under https", async () => {
  const { email, userId } = await aPerson();
  const browser = aBrowser("https://docs.example.org");
  const { response } = await browser.signIn(email, "ebb and flow");
  const cookie = response.headers
    .getSetCookie()
    .find((line) => line.startsWith("__Secure-next-auth.session-token="));
  expect(cookie).toMatch(/Secure/);
  const principal = await readSession(t.db, Object.fromEntries(browser.cookies), { isSecure: true });
  expect(principal?.userId).toBe(userId);
});

it("answers a wrong password with a sentence and no cookie", async () => {
  const { email } = await aPerson();
  const browser = aBrowser();
  const { response, error } = await browser.signIn(email, "wrong");
  expect(response.status).toBe(401);
  expect(describeSignInError(error ?? "")).toBe("E-mail or password is wrong.");
  expect(browser.cookies.has("next-auth.session-token")).toBe(false);
});

it("says how long to wait after too many attempts", async () => {
  const { email } = await aPerson();
  const browser = aBrowser();
  for (let i = 0; i < 5; i += 1) await browser.signIn(email, "wrong");
  const { error } = await browser.signIn(email, "ebb and flow");
  expect(describeSignInError(error ?? "")).toMatch(/^Too many attempts\. Try again in [1-5] seconds\.$/);
});

it("shows no text that a link brought along", () => {
  expect(describeSignInError("Call 555-0100 to unlock your account")).toBe(
    "Signing in did not work. Try again.",
  );
  expect(describeSignInError("Throttled:Call me")).toBe("Too many attempts. Try again in a few minutes.");
});

it("signs nobody in without the CSRF token, or from another site's page", async () => {
  const { email } = await aPerson();
  const browser = aBrowser();
  const form = { email, password: "ebb and flow", json: "true" };
  await browser.request("callback/credentials", form);
  const foreign = await browser.request("callback/credentials", form, { origin: "https://evil.example" });
  expect(foreign.status).toBe(403);
  expect(browser.cookies.has("next-auth.session-token")).toBe(false);
});

it("sends nobody to another site after signing in", async () => {
  const { email } = await aPerson();
  const browser = aBrowser();
  const { csrfToken } = (await (await browser.request("csrf")).json()) as { csrfToken: string };
  const form = {
    csrfToken,
    email,
    password: "ebb and flow",
    json: "true",
    callbackUrl: "https://evil.example/",
  };
  const { url } = (await (await browser.request("callback/credentials", form)).json()) as { url: string };
  expect(new URL(url).origin).toBe("http://localhost:4123");
});

it("drops the cookie of someone who was signed out everywhere", async () => {
  const { email, userId, workspaceId } = await aPerson();
  const browser = aBrowser();
  await browser.signIn(email, "ebb and flow");
  await signOutEverywhere(t.db, { workspaceId, actor: { type: "cli" } }, userId);
  expect(await (await browser.request("session")).json()).toEqual({});
  expect(browser.cookies.has("next-auth.session-token")).toBe(false);
});

it("sends visitors of NextAuth's own pages to ours", async () => {
  const response = await aBrowser().request("signin");
  expect(response.status).toBe(302);
  expect(response.headers.get("location")).toMatch(/^\/sign-in\?callbackUrl=/);
});

it("offers no way to write into the log, and takes no large body", async () => {
  expect((await aBrowser().request("_log", { level: "error", code: "x" })).status).toBe(404);
  expect((await aBrowser().request("callback/credentials", { email: "x".repeat(20_000) })).status).toBe(413);
});

it("stops reading a body of unannounced length at its limit", async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      if (sent > 1000) controller.close();
      else controller.enqueue(new Uint8Array(4096).fill(120));
    },
  });
  const request = new Request("http://localhost:4123/api/auth/callback/credentials", {
    method: "POST",
    body: endless,
    duplex: "half",
    headers: { host: "localhost:4123" },
  } as RequestInit);
  expect((await handleAuth(request, ["callback", "credentials"])).status).toBe(413);
  expect(sent).toBeLessThan(20);
});
