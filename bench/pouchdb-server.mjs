import { createServer } from "node:http";
import expressPouchDB from "express-pouchdb";
import PouchDB from "pouchdb";

/**
 * The peer of the benchmarks: a PouchDB server over leveldb, without its log, its users and its web
 * interface. Usage: node pouchdb-server.mjs <directory>; prints its port.
 */
const [directory] = process.argv.slice(2);
const handle = expressPouchDB(PouchDB.defaults({ prefix: `${directory}/` }), {
  mode: "minimumForPouchDB",
  inMemoryConfig: true,
  logPath: `${directory}/log.txt`,
});
const server = createServer(handle);
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
process.on("disconnect", () => process.exit(0));
