/** Signs out of this browser. What does it is fetched when someone leaves: no page needs it before. */
export async function leave(): Promise<void> {
  const { signOut } = await import("next-auth/react");
  await signOut({ callbackUrl: "/sign-in" });
}
