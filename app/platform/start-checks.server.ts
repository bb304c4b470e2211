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

/**
 * Warns of the first request whose X-Forwarded-For does not fit TRUST_PROXY: then limits count all
 * visitors as one address, or one that visitors choose.
 */
export function forwardingCheck(trustedProxies: number) {
  let isWarned = false;
  return (forwardedFor: string | undefined) => {
    const hops = forwardedFor ? forwardedFor.split(",").length : 0;
    if (isWarned || (trustedProxies === 0 ? hops === 0 : hops >= trustedProxies)) return;
    isWarned = true;
    const addresses = `${hops} ${hops === 1 ? "address" : "addresses"}`;
    log.warn(
      trustedProxies === 0
        ? "TRUST_PROXY is 0, but a request came with X-Forwarded-For: where a proxy is in front, all " +
            "visitors share its address (docs/operations.md, Proxies)"
        : `TRUST_PROXY is ${trustedProxies}, but a request came with ${addresses} in ` +
            "X-Forwarded-For: the proxy has to set it, or visitors choose their address (docs/operations.md, Proxies)",
    );
  };
}
