import { accessSync, constants, mkdirSync } from "node:fs";
import { log } from "./log.server.ts";

/** Creates the folder. Throws, naming DATA_DIR, if this user cannot write to it. */
export function prepareDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(`DATA_DIR: ${dataDir} is no folder that this user can write to (${code})`, {
      cause,
    });
  }
}

/** A site's sessions and links need https, which a missing APP_URL does not have either. */
export function warnOfAddress({ demo, appUrl }: { demo: boolean; appUrl: string }): void {
  if (demo || appUrl.startsWith("https:")) return;
  log.warn({ url: appUrl }, "APP_URL has no https: cookies go unencrypted, and emails link there");
}
