import pino from "pino";

/** Members that may hold a secret, one level down too. */
export const REDACT = {
  paths: ["*.authorization", "*.cookie", "*.password", "*.token", "authorization", "password", "token"],
  censor: "[masked]",
};

/** One JSON line per event on stdout. Request and run ids come in through child loggers. */
export const log = pino({
  level: process.env.LOG_LEVEL ?? (process.env.NODE_ENV === "test" ? "silent" : "info"),
  base: undefined,
  redact: REDACT,
});

export type Log = pino.Logger;
