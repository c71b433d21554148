import { createWriteStream, existsSync, renameSync, statSync } from "node:fs";

const LIMIT_BYTES = 20 * 1024 * 1024;

/** Moves a log that has grown too large aside; the one moved before it goes. */
export function rotateLog(path) {
  if (existsSync(path) && statSync(path).size > LIMIT_BYTES) renameSync(path, `${path}.1`);
}

/** An append-only log file, readable by its owner alone, that never takes more than twice its limit. */
export function openLog(path) {
  rotateLog(path);
  const open = () => createWriteStream(path, { flags: "a", mode: 0o600 });
  let stream = open();
  let size = existsSync(path) ? statSync(path).size : 0;
  return {
    write(chunk) {
      if (size > LIMIT_BYTES) {
        const full = stream;
        full.end(() => {});
        renameSync(path, `${path}.1`);
        stream = open();
        size = 0;
      }
      size += chunk.length;
      stream.write(chunk);
    },
    end() {
      stream.end();
    },
  };
}
