import type { AuthOptions, User } from "next-auth";
import { clientAddress } from "@/server/access/peer";
import { isSessionCurrent, SESSION_SECONDS, sessionSecret } from "@/server/access/read-session";
import { type SignedIn, signIn } from "@/server/access/sign-in";
import { SIGN_IN_NO_WORKSPACE, SIGN_IN_THROTTLED } from "@/server/access/sign-in-error";
import { db } from "@/server/db";
import { AppError } from "@/server/errors";
import { log } from "@/server/log";

/**
 * NextAuth's part: cookies, CSRF and the sign-in round trip. Who a session belongs to and what they
 * may do is read per request by read-session.ts, never from the cookie.
 *
 * The provider is spelled out because its package is CommonJS and exports no usable default here.
 */
export function authOptions(): AuthOptions {
  return {
    secret: sessionSecret(),
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    pages: { signIn: "/sign-in", signOut: "/sign-in", error: "/sign-in" },
    providers: [
      {
        id: "credentials",
        type: "credentials",
        name: "E-mail and password",
        credentials: { email: { type: "email" }, password: { type: "password" } },
        authorize: (input, { headers }) => authorize(input, headers),
      },
    ],
    callbacks: {
      /** At sign-in takes the person's session version along; later asks whether it still holds. */
      async jwt({ token, user }) {
        if (user) return { sub: user.id, sessionVersion: (user as User & SignedIn).sessionVersion };
        if (await isSessionCurrent(db(), token)) return token;
        throw new Error("signed out everywhere, or no member any more"); // NextAuth then drops the cookie
      },
      session: ({ session }) => ({ expires: session.expires }),
    },
    logger: {
      // Metadata may hold what was posted; code and message say enough.
      error: (code, metadata) =>
        log[code === "JWT_SESSION_ERROR" ? "debug" : "warn"]({ code, detail: metadata.message }, "sign-in"),
      warn: (code) => log.debug({ code }, "sign-in"),
      debug: () => {},
    },
  };
}

async function authorize(
  input: Record<string, string> | undefined,
  headers: Record<string, string> | undefined,
): Promise<SignedIn | null> {
  const { email, password } = input ?? {};
  if (typeof email !== "string" || typeof password !== "string") return null;
  try {
    return await signIn(db(), { email, password, address: clientAddress(new Headers(headers)) });
  } catch (error) {
    // NextAuth hands the message to the page as `error`; sign-in-error.ts turns it into a sentence.
    if (!(error instanceof AppError)) {
      log.error({ err: error }, "sign-in failed");
      throw new Error("SignIn");
    }
    if (error.code === "rate_limited")
      throw new Error(`${SIGN_IN_THROTTLED}:${error.info.retryAfterSeconds}`);
    throw new Error(error.code === "forbidden" ? SIGN_IN_NO_WORKSPACE : "SignIn");
  }
}
