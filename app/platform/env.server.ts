import path from "node:path";
import { z } from "zod";
import { isSandbox, SANDBOX_PATH } from "./sandbox.ts";
import { randomBytes } from "node:crypto";
import {
  S3,
  SELLER,
  count,
  databaseUrl,
  domain,
  filled,
  names,
  origin,
  port,
  secretKey,
  url,
  vapidKey,
  vatRates,
} from "./env-values.server.ts";
import { prepareDataDir } from "./start-checks.server.ts";
import { storedOnce } from "./stored-once.server.ts";
import { newVapidKeys, publicVapidKey, type VapidKeys } from "./vapid-keys.server.ts";

export type EmailTags = Env["emailTags"];
export type Env = ReturnType<typeof assemble>;

export class ConfigurationError extends Error {}

/** Throws ConfigurationError naming every missing or malformed variable. The demo needs none. */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const { given, demo } = readGiven(source);
  return assemble(parse(shape(demo), given), demo);
}

export function readStripeEnv(source: Record<string, string | undefined> = process.env) {
  const { given, demo } = readGiven(source);
  const used = shape(demo).pick({ PORT: true, APP_URL: true, PAYMENT_LINK_PREFIX: true });
  const found = parse(used.extend({ STRIPE_SECRET_KEY: secretKey }), given);
  const appUrl = publicOrigin(found);
  return {
    demo,
    appUrl,
    stripeSecretKey: found.STRIPE_SECRET_KEY,
    paymentLinkPrefix: linkPrefix(found, demo),
  };
}

export function readDatabaseEnv(source: Record<string, string | undefined> = process.env) {
  const { given } = readGiven(source);
  return {
    // Commands run longer than a pooler should give a connection away.
    databaseUrl: directUrl(given) ?? given.DATABASE_URL,
    dataDir: path.resolve(source.DATA_DIR || "data"),
  };
}

export function readFilesEnv(source: Record<string, string | undefined> = process.env) {
  const { given, demo } = readGiven(source);
  const found = parse(shape(demo).pick({ DATA_DIR: true }).extend(S3), given);
  return { dataDir: path.resolve(found.DATA_DIR), bucket: bucketOf(found) };
}

function readGiven(source: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const demo = given.DEMO === undefined ? !given.DATABASE_URL : given.DEMO === "1";
  return { given, demo };
}

function shape(demo: boolean) {
  const required = <T extends z.ZodType>(type: T) =>
    demo ? type.optional().describe(type.description ?? "") : type;
  return z.object({
    PORT: port.default(3000).describe("a port number, 0 to 65535"),
    HOST: filled.optional().describe("an address to listen on"),
    APP_URL: origin.optional().describe("the public origin, such as https://kickabout.example"),
    DATABASE_URL: databaseUrl,
    DATABASE_DIRECT_URL: databaseUrl,
    DATABASE_REPLICA_URL: databaseUrl,
    DATA_DIR: filled.default("data").describe("a folder"),
    ...S3,
    DEMO: z.enum(["0", "1"]).optional().describe("1 or 0"),
    SCHOOL_EMAIL_DOMAINS: required(
      filled.refine((names) => names.split(",").every((name) => domain.test(name.trim()))),
    ).describe("the school's mail domains, comma-separated"),
    EMAIL_TAGS: z.enum(["same", "distinct"]).default("same").describe("same or distinct"),
    SMTP_URL: required(
      z
        .url({ protocol: /^smtps?$/, hostname: /./ })
        .describe("smtp:// or smtps:// with user, password and host"),
    ),
    MAIL_FROM: required(
      filled
        .regex(/[^\s@<>]@[^\s@<>]/)
        .describe('a sender, such as "Kickabout <no-reply@kickabout.example>"'),
    ),
    ANNOUNCEMENTS_PER_MINUTE: count(1, 60_000).default(60).describe("emails a minute, 1 to 60000"),
    NEWS_AT_NIGHT: z.enum(["0", "1"]).default("0").describe("1 or 0"),
    SUPPORT_REPLY_ADDRESS: filled
      .regex(/^[^\s@+]{1,31}@[^\s@]+$/)
      .optional()
      .describe("an address without +, such as support@kickabout.example"),
    INBOUND_MAIL_SECRET: filled.min(32).optional().describe("at least 32 random characters"),
    STRIPE_WEBHOOK_SECRET: required(
      filled.regex(/^[^\s,]+(\s*,\s*[^\s,]+)*$/).describe("the webhook's signing secret, whsec_…"),
    ),
    STRIPE_SECRET_KEY: required(secretKey),
    PAYMENT_LINK_PREFIX: url.optional().describe("an http(s) address"),
    PAYMENT_METHODS: names.default("card, MobilePay").describe("names, comma-separated"),
    MONTHLY_PAYMENT_METHODS: names.default("card").describe("names, comma-separated"),
    SESSION_SECRET: required(filled.min(32).describe("at least 32 random characters")),
    VAPID_PUBLIC_KEY: vapidKey(65).describe("the public key that npm run vapid-keys prints"),
    VAPID_PRIVATE_KEY: vapidKey(32).describe("the private key that npm run vapid-keys prints"),
    BRAND_NAME: required(filled.describe("the product's name")),
    COMPANY_NAME: required(filled.describe("the company in the footer")),
    ...SELLER,
    VAT_RATES: vatRates.describe("rates by date, such as 2025-01-01=14,2026-01-01=13.5"),
    RECEIPT_EMAILS: z.enum(["0", "1"]).default("1").describe("1 or 0"),
    CONTACT_EMAIL: required(z.email().describe("a mail address that people may write to")),
    CONTACT_PHONE: filled
      .regex(/^\+?\d[\d ()-]{4,23}$/)
      .optional()
      .describe("a phone number that players may call, such as +358 40 123 4567"),
    UNIVERSITY_NAME: required(filled.describe("the university's name")),
    TRUST_PROXY: count(0, 10).default(0).describe("how many proxies stand in front, 0 to 10"),
    DRAIN_SECONDS: count(0, 300)
      .default(demo ? 0 : 5)
      .describe("seconds, 0 to 300"),
    ROLE: z.enum(["web", "worker", "all"]).default("all").describe("web, worker or all"),
    POOL_MAX: count(2, 1_000)
      .default(12)
      .describe("how many database connections a process may have, 2 to 1000"),
    ADMIN_TWO_FACTOR: z
      .enum(["required", "optional"])
      .default("optional")
      .describe("required or optional"),
    METRICS_PORT: port.optional().describe("a port number, 0 to 65535"),
    METRICS_HOST: filled.default("127.0.0.1").describe("an address to listen on"),
    CANARY: z.enum(["0", "1"]).default("1").describe("1 or 0"),
    ACCESS_LOG: z.enum(["0", "1"]).default("1").describe("1 or 0"),
    SLOW_QUERY_MS: count(1, 60_000).default(500).describe("milliseconds, 1 to 60000"),
    OTEL_EXPORTER_OTLP_ENDPOINT: url.optional().describe("an http(s) address"),
    LOG_LEVEL: z
      .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
      .optional()
      .describe("fatal, error, warn, info, debug, trace or silent"),
  });
}

function assemble(given: z.infer<ReturnType<typeof shape>>, demo: boolean) {
  const dataDir = path.resolve(given.DATA_DIR);
  const secrets = demo ? demoSecrets(dataDir) : undefined;
  const appUrl = publicOrigin(given);
  return {
    port: given.PORT,
    host: given.HOST,
    appUrl,
    databaseUrl: given.DATABASE_URL,
    directUrl: directUrl(given),
    replicaUrl: besideDatabase(given, "DATABASE_REPLICA_URL"),
    dataDir,
    bucket: bucketOf(given),
    demo,
    schoolDomains: list(given.SCHOOL_EMAIL_DOMAINS ?? "uni.example").map((d) => d.toLowerCase()),
    emailTags: given.EMAIL_TAGS,
    smtpUrl: given.SMTP_URL,
    mailFrom: given.MAIL_FROM ?? "Kickabout <no-reply@kickabout.example>",
    announcementsPerMinute: given.ANNOUNCEMENTS_PER_MINUTE,
    supportReplies: supportReplies(given),
    stripeWebhookSecrets: list(given.STRIPE_WEBHOOK_SECRET ?? secrets?.webhook ?? ""),
    stripeSecretKey: given.STRIPE_SECRET_KEY,
    paymentLinkPrefix: linkPrefix(given, demo),
    paymentMethods: {
      single: list(given.PAYMENT_METHODS),
      monthly: list(given.MONTHLY_PAYMENT_METHODS),
    },
    sessionSecret: given.SESSION_SECRET ?? secrets?.session ?? "",
    vapid: vapidKeys(given, dataDir, demo),
    brandName: given.BRAND_NAME ?? "Kickabout",
    companyName: given.COMPANY_NAME ?? "Kickabout",
    seller: {
      address: given.SELLER_ADDRESS,
      businessId: given.SELLER_BUSINESS_ID,
      vatId: given.SELLER_VAT_ID,
    },
    vatRates: given.VAT_RATES,
    ...{ mailsReceipts: given.RECEIPT_EMAILS === "1", sendsAtNight: given.NEWS_AT_NIGHT === "1" },
    contactEmail: given.CONTACT_EMAIL ?? "hello@kickabout.example",
    contactPhone: given.CONTACT_PHONE,
    universityName: given.UNIVERSITY_NAME ?? "Example University",
    trustProxy: given.TRUST_PROXY,
    drainSeconds: given.DRAIN_SECONDS,
    role: given.ROLE,
    poolMax: given.POOL_MAX,
    adminTwoFactor: given.ADMIN_TWO_FACTOR,
    metrics: metricsPlace(given),
    canary: given.CANARY === "1",
    accessLog: given.ACCESS_LOG === "1",
    slowQueryMs: given.SLOW_QUERY_MS,
    hasTraces: given.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
  };
}

function directUrl(given: Partial<Record<"DATABASE_DIRECT_URL" | "DATABASE_URL", string>>) {
  const url = besideDatabase(given, "DATABASE_DIRECT_URL");
  if (!url || URL.parse(url)?.pathname === URL.parse(given.DATABASE_URL!)?.pathname) return url;
  throw new ConfigurationError("DATABASE_DIRECT_URL names another database than DATABASE_URL");
}

function besideDatabase<Name extends "DATABASE_DIRECT_URL" | "DATABASE_REPLICA_URL">(
  given: Partial<Record<Name | "DATABASE_URL", string | undefined>>,
  name: Name,
): string | undefined {
  if (given.DATABASE_URL || !given[name]) return given[name];
  throw new ConfigurationError(`${name} goes beside DATABASE_URL, which is missing`);
}

function metricsPlace(given: { METRICS_PORT?: number | undefined; METRICS_HOST: string }) {
  const { METRICS_PORT: metricsPort, METRICS_HOST: host } = given;
  return metricsPort === undefined ? null : { port: metricsPort, host };
}

/** Null if uploads go to a folder. */
function bucketOf(given: { [name in keyof typeof S3]?: string | undefined }) {
  const missing = (Object.keys(S3) as (keyof typeof S3)[]).filter((name) => !given[name]);
  const { S3_ENDPOINT, S3_BUCKET: name, S3_REGION: region } = given;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = given;
  if (S3_ENDPOINT && name && region && accessKeyId && secretAccessKey) {
    return { endpoint: S3_ENDPOINT.replace(/\/$/, ""), name, region, accessKeyId, secretAccessKey };
  }
  if (missing.length === Object.keys(S3).length) return null;
  throw new ConfigurationError(`S3_…: all five or none. Missing: ${missing.join(", ")}`);
}

export interface SupportReplies {
  address: string;
  secret: string;
}

function supportReplies(given: {
  SUPPORT_REPLY_ADDRESS?: string | undefined;
  INBOUND_MAIL_SECRET?: string | undefined;
}): SupportReplies | null {
  const { SUPPORT_REPLY_ADDRESS: address, INBOUND_MAIL_SECRET: secret } = given;
  if (address && secret) return { address, secret };
  if (!address && !secret) return null;
  throw new ConfigurationError("SUPPORT_REPLY_ADDRESS and INBOUND_MAIL_SECRET: both or neither");
}

/** For push messages (RFC 8292); null turns them off. */
function vapidKeys(
  given: { VAPID_PUBLIC_KEY?: string | undefined; VAPID_PRIVATE_KEY?: string | undefined },
  dataDir: string,
  demo: boolean,
): VapidKeys | null {
  const { VAPID_PUBLIC_KEY: publicKey = "", VAPID_PRIVATE_KEY: privateKey = "" } = given;
  if (!publicKey && !privateKey)
    return demo ? storedOnce(dataDir, "vapid.json", newVapidKeys) : null;
  if (publicKey && publicKey === publicVapidKey(privateKey)) return { publicKey, privateKey };
  throw new ConfigurationError(
    "VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY: a pair as npm run vapid-keys prints it",
  );
}

function publicOrigin({ APP_URL, PORT }: { APP_URL?: string; PORT: number }): string {
  return (APP_URL ?? `http://localhost:${PORT}`).replace(/\/$/, "");
}

function linkPrefix(
  given: { PAYMENT_LINK_PREFIX?: string; STRIPE_SECRET_KEY?: string },
  demo: boolean,
): string {
  const usual = isSandbox({ demo, stripeSecretKey: given.STRIPE_SECRET_KEY })
    ? SANDBOX_PATH
    : "https://buy.stripe.com/";
  return given.PAYMENT_LINK_PREFIX ?? usual;
}

function parse<T extends z.ZodObject>(schema: T, given: Record<string, unknown>): z.infer<T> {
  const { success, error, data } = schema.safeParse(given);
  if (success) return data;
  const names = new Set(error.issues.map((issue) => String(issue.path[0])));
  const lines = [...names].map((name) => `  ${name}: ${schema.shape[name]?.description}`);
  const start = "The configuration is not complete. Missing or malformed:";
  throw new ConfigurationError([start, ...lines].join("\n"));
}

function list(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
}

function demoSecrets(dataDir: string) {
  prepareDataDir(dataDir);
  return storedOnce(dataDir, "secrets.json", () => ({
    session: randomBytes(32).toString("hex"),
    webhook: `whsec_${randomBytes(24).toString("hex")}`,
  }));
}
