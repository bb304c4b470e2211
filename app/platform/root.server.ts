import { existsSync } from "node:fs";
import path from "node:path";

export const projectRoot = findRoot(import.meta.dirname);

function findRoot(folder: string): string {
  return existsSync(path.join(folder, "package.json")) ? folder : findRoot(path.dirname(folder));
}
