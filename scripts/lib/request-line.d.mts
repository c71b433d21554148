export function readTarget(target: string): string;
