export const SANDBOX_PATH = "/demo/checkout/";

/** A Stripe key means no sandbox, not even in the demo. */
export function isSandbox(env: { demo: boolean; stripeSecretKey: string | undefined }): boolean {
  return env.demo && !env.stripeSecretKey;
}

export function sandboxIds(packKey: string) {
  return {
    stripe_payment_link_id: `plink_demo_${packKey}`,
    stripe_price_id: `price_demo_${packKey}`,
  };
}

export function isSandboxId(id: string): boolean {
  return /^(plink|price)_demo_/.test(id);
}
