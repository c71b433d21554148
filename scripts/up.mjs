// Plain syntax up to the version check: an old Node must get this far to be told.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Tidemark needs Node 20.19 or later; this is ${process.versions.node}. Get one from https://nodejs.org.`,
  );
  process.exit(1);
}

import("./lib/run-up.mjs")
  .then(({ runUp }) => runUp(process.argv.slice(2)))
  .then(
    () => process.exit(0),
    (error) => {
      console.error(`\n${error.name === "Problem" ? error.message : error.stack}\n`);
      process.exit(1);
    },
  );
