import { z } from "zod";

export const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .pipe(z.number().max(65_535));
export const filled = z.string().trim().min(1);
/** What players read, such as "card, MobilePay". */
export const names = filled.regex(/^\s*[^\s,][^,]*(,\s*[^\s,][^,]*)*$/).max(200);
export const secretKey = filled
  .regex(/^(sk|rk)_(live|test)_\w/)
  .describe(
    "Stripe's secret key, sk_live_… or sk_test_…, or a restricted one, rk_live_… or rk_test_…",
  );
export const vapidKey = (bytes: number) =>
  z
    .base64url()
    .refine((text) => Buffer.from(text, "base64url").length === bytes)
    .optional();
export const databaseUrl = z
  .url()
  .regex(/^postgres(ql)?:\/\//)
  .optional()
  .describe("postgres://user:password@host:5432/database");
export const count = (least: number, most: number) => z.coerce.number().int().min(least).max(most);
export const url = z.url({ protocol: /^https?$/ });
// Only an origin: paths are added to it, and it appears in logs and pages.
export const origin = url.refine((text) => URL.parse(text)?.origin === text.replace(/\/$/, ""));
// No user, query or fragment: paths are added to it.
const endpoint = url.refine((text) => /^https?:\/\/[^/?#@\s]+(\/[^?#@\s]*)?$/.test(text));
export const domain = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/i;

/** Of what the seller has registered, for receipts. */
export const SELLER = {
  SELLER_ADDRESS: filled
    .max(200)
    .optional()
    .describe("a postal address, such as Katu 1, 00100 Helsinki"),
  SELLER_BUSINESS_ID: filled.max(30).optional().describe("a business id, such as 1234567-8"),
  SELLER_VAT_ID: filled.max(30).optional().describe("a VAT number, such as FI12345678"),
};

// Finland, services that give the opportunity to exercise (VAT act 1501/1993, 85 a §).
const RATES = "2013-01-01=10,2025-01-01=14,2026-01-01=13.5";

/** The VAT rates of what is sold, in tenths of a percent, each from its day on; newest first. */
export const vatRates = z
  .string()
  .default(RATES)
  .transform((text) => text.split(",").map((part) => part.trim()))
  .pipe(z.array(z.string().regex(/^\d{4}-\d{2}-\d{2}=\d{1,2}(\.\d)?$/)).max(100))
  .transform((parts) => parts.map(readRate).toSorted((a, b) => (a.from < b.from ? 1 : -1)));

export interface VatRate {
  from: string;
  perMille: number;
}

function readRate(text: string): VatRate {
  const [from = "", percent = ""] = text.split("=");
  return { from, perMille: Math.round(Number(percent) * 10) };
}

export const S3 = {
  S3_ENDPOINT: endpoint.optional().describe("an http(s) address, without the bucket"),
  S3_BUCKET: filled
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
    .optional()
    .describe("a bucket's name"),
  S3_REGION: filled
    .regex(/^[\w-]+$/)
    .optional()
    .describe("a region, such as eu-north-1"),
  S3_ACCESS_KEY_ID: filled
    .regex(/^[!-~]+$/)
    .optional()
    .describe("the id of an access key"),
  S3_SECRET_ACCESS_KEY: filled
    .regex(/^[!-~]+$/)
    .optional()
    .describe("its secret"),
};
