import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { chromium } from "@playwright/test";
import { scratchFolder } from "./postgres.ts";

/** What Playwright needs to launch the browser. */
export interface Browser {
  executablePath: string;
  args: string[];
  /** Only what the browser gets; the tests' own processes keep their environment. */
  env: Record<string, string>;
}

const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * A Chromium of this machine: CHROME_PATH, one on PATH, the one that npm brought (Linux on x64),
 * or Playwright's own. Throws one sentence where there is none that runs.
 */
export function findBrowser(): Browser {
  const found = given() ?? onPath() ?? fromNpm() ?? ofPlaywright();
  // Playwright has it keep what its processes share, each frame included, in the temporary folder.
  // On a busy disk a page then gets no frame for seconds, and waits for its scripts and clicks.
  const TMPDIR = scratchFolder();
  if (found) return { ...found, args: ARGS, env: { ...found.env, TMPDIR } };
  throw new Error(
    "The browser tests need Chromium and found none: set CHROME_PATH to one, or run " +
      "`npx playwright install --with-deps chromium` (Debian: `apt-get install chromium`).",
  );
}

type Found = Pick<Browser, "executablePath" | "env">;

function given(): Found | null {
  const executablePath = process.env.CHROME_PATH;
  if (!executablePath) return null;
  if (runs(executablePath)) return { executablePath, env: plainEnv() };
  throw new Error(`CHROME_PATH names no browser that runs here: ${executablePath}`);
}

function onPath(): Found | null {
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);
  const files = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  const executablePath = files.find((file) => fs.existsSync(file) && runs(file));
  return executablePath ? { executablePath, env: plainEnv() } : null;
}

function ofPlaywright(): Found | null {
  const executablePath = chromium.executablePath();
  return fs.existsSync(executablePath) ? { executablePath, env: plainEnv() } : null;
}

/**
 * The browser of @sparticuz/chromium. Its package unpacks into the temporary folder that all users
 * share, and two processes at once spoil each other's files; so it unpacks into a folder of this
 * user's own, which takes its place by renaming.
 */
function fromNpm(): Found | null {
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  const version = packageVersion();
  if (!version) return null;
  const home = path.join(tmpdir(), `kickabout-chromium-${version}-${userInfo().uid}`);
  if (!isUnpacked(home)) unpack(home);
  const executablePath = path.join(home, "chromium");
  const env = {
    ...plainEnv(),
    LD_LIBRARY_PATH: path.join(home, "al2023", "lib"),
    FONTCONFIG_PATH: path.join(home, "fonts"),
  };
  return runs(executablePath, env) ? { executablePath, env } : null;
}

function packageVersion(): string | null {
  try {
    const entry = createRequire(import.meta.url).resolve("@sparticuz/chromium");
    const manifest = path.join(path.dirname(entry), "..", "package.json");
    return (JSON.parse(fs.readFileSync(manifest, "utf8")) as { version: string }).version;
  } catch {
    return null;
  }
}

// In the shared temporary folder a name is anybody's: what another user put there is never run.
function isUnpacked(home: string): boolean {
  const stats = fs.lstatSync(home, { throwIfNoEntry: false });
  if (!stats) return false;
  if (!stats.isDirectory() || stats.uid !== userInfo().uid) {
    throw new Error(`${home} belongs to another user; the browser needs that place.`);
  }
  if (fs.existsSync(path.join(home, "chromium"))) return true;
  // The system tidies the folder file by file.
  fs.rmSync(home, { recursive: true });
  return false;
}

function unpack(home: string) {
  const staging = fs.mkdtempSync(`${home}.`);
  const script = 'await (await import("@sparticuz/chromium")).default.executablePath();';
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: import.meta.dirname,
    encoding: "utf8",
    // The package reads both while it is imported; the second makes it unpack its libraries too.
    env: { ...process.env, TMPDIR: staging, AWS_LAMBDA_JS_RUNTIME: "nodejs22.x" },
  });
  if (status !== 0) throw new Error(`The browser could not be unpacked to ${home}: ${stderr}`);
  const fonts = path.join(staging, "fonts", "fonts.conf");
  const own = fs.readFileSync(fonts, "utf8").replaceAll("/tmp/fonts", path.join(home, "fonts"));
  fs.writeFileSync(fonts, own.replace("<dir>", "<dir>/usr/share/fonts</dir>\n  <dir>"));
  try {
    fs.renameSync(staging, home);
  } catch (error) {
    fs.rmSync(staging, { recursive: true });
    // Another process was first, and its copy is as good.
    if (!fs.existsSync(path.join(home, "chromium"))) throw error;
  }
}

function runs(file: string, env = plainEnv()): boolean {
  const { status } = spawnSync(file, ["--version", "--no-sandbox"], { env, timeout: 20_000 });
  return status === 0;
}

function plainEnv(): Record<string, string> {
  const entries = Object.entries(process.env);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => !!entry[1]));
}
