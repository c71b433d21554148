/** Why a sign-in failed, as NextAuth carries it to the page in `error`. Safe for browsers. */
export const SIGN_IN_THROTTLED = "Throttled";
export const SIGN_IN_NO_WORKSPACE = "NoWorkspace";

/** The sentence for people. Unknown text is never shown: anyone can put it into a link. */
export function describeSignInError(error: string): string {
  const [code, argument] = error.split(":");
  if (code === "CredentialsSignin") return "E-mail or password is wrong.";
  if (code === SIGN_IN_NO_WORKSPACE) {
    return "This account belongs to no workspace any more. Ask an admin to add you again.";
  }
  if (code === SIGN_IN_THROTTLED) {
    const seconds = Number.parseInt(argument ?? "", 10);
    const wait = seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
    return `Too many attempts. Try again in ${Number.isNaN(seconds) ? "a few minutes" : wait}.`;
  }
  if (code === "SessionRequired") return "Please sign in.";
  return "Signing in did not work. Try again.";
}
