import { useRouteLoaderData } from "react-router";
import type { Env } from "#app/platform/env.server.ts";

/** What every page may show of the configuration; the root loader sends it. */
export function siteOf(env: Env) {
  const { brandName, companyName, contactEmail, universityName, appUrl, demo } = env;
  return { brandName, companyName, contactEmail, universityName, appUrl, demo };
}

export function useSite() {
  return useRouteLoaderData<{ site: ReturnType<typeof siteOf> }>("root")!.site;
}
