type Given<Args> = { [Name in keyof Args]?: NonNullable<Args[Name]> };

/** Arguments that were sent. Clients send null for a variable that was left out: the same, except where null means something. */
export function given<Args extends object>(args: Args): Given<Args> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null)) as Given<Args>;
}
