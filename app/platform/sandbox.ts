/** What takes Stripe's place in the demo: its address, and the ids that packs are sold under there. */
export const SANDBOX_PATH = "/demo/checkout/";

/** With a key of Stripe's there is no sandbox, in the demo either. */
export function isSandbox(env: { demo: boolean; stripeSecretKey: string | undefined }): boolean {
  return env.demo && !env.stripeSecretKey;
}

/** A pack's payment link and price, as its columns hold them. */
export function sandboxIds(packKey: string) {
  return {
    stripe_payment_link_id: `plink_demo_${packKey}`,
    stripe_price_id: `price_demo_${packKey}`,
  };
}

/** Whether a payment link or a price is the sandbox's and not Stripe's. */
export function isSandboxId(id: string): boolean {
  return /^(plink|price)_demo_/.test(id);
}
