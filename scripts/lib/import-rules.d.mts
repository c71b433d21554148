export function explainViolation(found: {
  from: string;
  to: string;
  typeOnly: boolean;
  client: boolean;
}): string | null;
