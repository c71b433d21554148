export function freePort(): Promise<number>;
export function isPortTaken(port: number): Promise<boolean>;
