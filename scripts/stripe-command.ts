import Stripe from "stripe";
import type { Connection } from "#app/platform/connect.server.ts";
import { readStripeEnv } from "#app/platform/env.server.ts";
import { openStripe } from "#app/platform/stripe.server.ts";
import { command } from "./command.ts";

interface StripeConnection extends Connection {
  env: ReturnType<typeof readStripeEnv>;
  stripe: Stripe;
}

/** Runs a command on the database and the Stripe account of the environment; see command.ts. */
export function stripeCommand(
  run: (connection: StripeConnection) => Promise<boolean | void>,
  options?: Parameters<typeof command>[1],
) {
  return command(async (database) => {
    const env = readStripeEnv();
    try {
      return await run({ ...database, env, stripe: openStripe(env.stripeSecretKey) });
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError)) throw error;
      throw new Error(`Stripe: ${error.message.replaceAll(/\s+/g, " ")}`, { cause: error });
    }
  }, options);
}
