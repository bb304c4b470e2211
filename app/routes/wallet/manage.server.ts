import { data, redirectDocument } from "react-router";
import { openPortal } from "../../features/wallet/manage-subscription.server.ts";
import { log } from "../../platform/log.server.ts";
import type { App } from "../context.server.ts";

/** Leads to where a subscription is changed or ended; where that fails, says so on the page. */
export async function manageSubscription({ env, db }: App, userId: string) {
  try {
    const url = await openPortal({ env, db, userId, returnUrl: `${env.appUrl}/wallet` });
    return url ? redirectDocument(url, 303) : failed(404);
  } catch (error) {
    log.error({ err: error }, "opening the customer portal");
    return failed(502);
  }
}

/** What any request that cannot be done is answered with. */
export function failed(status: number) {
  const problem = { title: "Error", description: "Failed to process request" };
  return data({ problem }, status);
}
