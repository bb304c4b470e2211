import { rmSync } from "node:fs";
import { createTemplate, startSite } from "./site.ts";

/** One site for all browser tests; what ends it checks that it ends well. */
export default async function setup() {
  const template = await createTemplate();
  process.env.E2E_TEMPLATE = template;
  const site = await startSite();
  process.env.E2E_URL = site.url;
  process.env.E2E_DATA_DIR = site.dataDir;
  return () => site.stop().finally(() => rmSync(template, { recursive: true, force: true }));
}
