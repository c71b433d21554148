import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { bin } from "./install.mjs";
import { Problem, root } from "./project.mjs";
import { attempt, step } from "./steps.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
/** Some networks swallow the download without an answer. */
const DOWNLOAD_LIMIT_MS = 180_000;
const MAC_PATHS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * A browser for the end-to-end tests: an installed Chromium or Chrome, else Playwright's, else Debian's.
 *
 * @returns the path of its executable.
 * @throws Problem when there is none and none could be installed.
 */
export async function ensureBrowser() {
  const known = installedBrowser() ?? playwrightBrowser();
  if (known) return known;
  let failure = "";
  await step("Installing a browser for the end-to-end tests", async () => {
    const download = await attempt(bin("playwright"), ["install", "chromium"], {
      timeoutMs: DOWNLOAD_LIMIT_MS,
    });
    if (download.code === 0 && playwrightBrowser()) return "Playwright's Chromium";
    failure = download.output;
    if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return "none";
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    const update = await attempt("apt-get", ["update", "-q"], { env });
    const install = await attempt("apt-get", ["install", "-qy", "--no-install-recommends", "chromium"], {
      env,
    });
    failure += update.output + install.output;
    return installedBrowser() ? "Debian's Chromium" : "none";
  });
  const found = installedBrowser() ?? playwrightBrowser();
  if (found) return found;
  throw new Problem(
    `No browser: install Chromium or Chrome, or run "npx playwright install chromium".\n${failure.trim().slice(-1_500)}`,
  );
}

function installedBrowser() {
  if (process.env.TIDEMARK_BROWSER) return process.env.TIDEMARK_BROWSER;
  if (process.platform === "darwin") return MAC_PATHS.find((path) => existsSync(path));
  const folders = (process.env.PATH ?? "").split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(works);
}

/** Playwright's own, if it is downloaded and its libraries are there. */
function playwrightBrowser() {
  const script = 'process.stdout.write(require("playwright-core").chromium.executablePath())';
  try {
    const path = execFileSync(process.execPath, ["-e", script], {
      cwd: root,
      encoding: "utf8",
      stdio: "pipe",
    });
    return existsSync(path) && works(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Starts at all: a snap stub without snapd, or a browser without its libraries, does not. */
function works(path) {
  if (!existsSync(path)) return false;
  try {
    execFileSync(path, ["--version"], { stdio: "pipe", timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}
