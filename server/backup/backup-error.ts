/** A backup could not be made, read or restored, and the message says why and what to do. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}
