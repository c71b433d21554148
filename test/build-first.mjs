import { ensureBuild } from "../scripts/lib/install.mjs";

/** Before tests of whole servers: none of them may build, or find a build under way. */
export default function setup() {
  return ensureBuild();
}
