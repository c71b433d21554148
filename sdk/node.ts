/** `@tidemark/client/node`: what needs Node's file system. */
export { createFileStore } from "./stores/file-store.ts";
