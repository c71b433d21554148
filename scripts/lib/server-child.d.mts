/** Types of server-child.mjs for bench/, which is TypeScript. */
export type ServerChild = {
  pid: number;
  port: number;
  url: string;
  exited: Promise<string>;
  stop(): Promise<void>;
};

export function startServer(env: Record<string, string>, logFile: string): Promise<ServerChild>;
