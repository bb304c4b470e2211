import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";

const PACKAGE = "vnu-jar@26.9.27";
const JAR = path.join(projectRoot, ".cache", PACKAGE, "package/build/dist/vnu.jar");

interface Message {
  type: string;
  url: string;
  message: string;
  extract?: string;
}

/** What the Nu Html Checker finds in pages by their names, as "name: message: extract". */
export function validatePages(folder: string, pages: Map<string, string>): string[] {
  if (spawnSync("java", ["-version"]).error) {
    throw new Error("The checker of HTML needs Java 11 or newer (Debian: default-jre-headless).");
  }
  if (!fs.existsSync(JAR)) download();
  const names = [...pages.keys()];
  for (const [index, name] of names.entries()) {
    fs.writeFileSync(path.join(folder, `${index}.html`), pages.get(name)!);
  }
  const args = ["-Xss4m", "-jar", JAR, "--format", "json", "--exit-zero-always", folder];
  const { stderr, error } = spawnSync("java", args, { encoding: "utf8", maxBuffer: 1e9 });
  if (error) throw error;
  const { messages } = JSON.parse(stderr) as { messages: Message[] };
  return messages
    .filter(({ type, message, extract }) => type !== "info" && !isMistaken(message, extract))
    .map(({ url, message, extract = "" }) => {
      const name = names[Number.parseInt(path.basename(url), 10)] ?? url;
      return `${name}: ${message}: ${extract.replace(/\s+/g, " ").slice(0, 200)}`;
    });
}

/** It wants type="button" of a switch, which "ARIA in HTML" takes on a button of any type. */
function isMistaken(message: string, extract = ""): boolean {
  return (
    message.startsWith("Bad value “submit” for attribute “type”") && /role="switch"/.test(extract)
  );
}

/** No dependency: it has 31 MB, and its install script downloads Java. */
function download() {
  const folder = path.join(projectRoot, ".cache", PACKAGE);
  fs.mkdirSync(folder, { recursive: true });
  const script = `set -e; cd "$1"; tar -xzf "$(npm pack --silent ${PACKAGE})"; rm ./*.tgz`;
  const result = spawnSync("sh", ["-c", script, "sh", folder], { encoding: "utf8" });
  if (result.status !== 0) throw new Error(`${PACKAGE} cannot be downloaded: ${result.stderr}`);
}
