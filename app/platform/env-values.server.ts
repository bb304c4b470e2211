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
