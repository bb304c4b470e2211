import path from "node:path";
import { z } from "zod";
import { isSandbox, SANDBOX_PATH } from "./sandbox.ts";
import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

export type EmailTags = "same" | "distinct";

export interface Env {
  port: number;
  host: string | undefined;
  appUrl: string;
  databaseUrl: string | undefined;
  dataDir: string;
  demo: boolean;
  schoolDomains: string[];
  emailTags: EmailTags;
  smtpUrl: string | undefined;
  mailFrom: string;
  stripeWebhookSecrets: string[];
  stripeSecretKey: string | undefined;
  paymentLinkPrefix: string;
  sessionSecret: string;
  brandName: string;
  companyName: string;
  contactEmail: string;
  universityName: string;
  trustProxy: number;
  drainSeconds: number;
  poolMax: number;
  adminTwoFactor: "required" | "optional";
}

export class ConfigurationError extends Error {}

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .pipe(z.number().max(65_535));
const filled = z.string().trim().min(1);
const secretKey = filled.regex(/^(sk|rk)_(live|test)_\w/);
const url = z.url({ protocol: /^https?$/ });
// Only an origin: paths are added to it, and it appears in logs and pages.
const origin = url.refine(
  (text) => URL.canParse(text) && text.replace(/\/$/, "") === new URL(text).origin,
);
const domain = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/i;

/** Throws ConfigurationError naming every missing or malformed variable. The demo needs none. */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const { given, demo } = readGiven(source);
  const result = shape(demo).safeParse(given);
  if (!result.success) throw new ConfigurationError(complaint(result.error));
  return assemble(result.data, demo);
}

export function readStripeEnv(source: Record<string, string | undefined> = process.env) {
  const { given, demo } = readGiven(source);
  const used = shape(demo).pick({ PORT: true, APP_URL: true, PAYMENT_LINK_PREFIX: true });
  const result = used.extend({ STRIPE_SECRET_KEY: secretKey }).safeParse(given);
  if (!result.success) throw new ConfigurationError(complaint(result.error));
  const appUrl = publicOrigin(result.data);
  return {
    appUrl,
    stripeSecretKey: result.data.STRIPE_SECRET_KEY,
    paymentLinkPrefix: linkPrefix(result.data, demo, appUrl),
  };
}

export function readDatabaseEnv(source: Record<string, string | undefined> = process.env) {
  return {
    databaseUrl: source.DATABASE_URL || undefined,
    dataDir: path.resolve(source.DATA_DIR || "data"),
  };
}

function readGiven(source: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const demo = given.DEMO === undefined ? !given.DATABASE_URL : given.DEMO === "1";
  return { given, demo };
}

function shape(demo: boolean) {
  const required = <T extends z.ZodType>(type: T) => (demo ? type.optional() : type);
  return z.object({
    PORT: port.default(3000),
    HOST: filled.optional(),
    APP_URL: origin.optional(),
    DATABASE_URL: z
      .url()
      .regex(/^postgres(ql)?:\/\//)
      .optional(),
    DATA_DIR: filled.default("data"),
    DEMO: z.enum(["0", "1"]).optional(),
    SCHOOL_EMAIL_DOMAINS: required(
      filled.refine((names) => names.split(",").every((name) => domain.test(name.trim()))),
    ),
    EMAIL_TAGS: z.enum(["same", "distinct"]).default("same"),
    SMTP_URL: required(z.url({ protocol: /^smtps?$/, hostname: /./ })),
    MAIL_FROM: required(filled.regex(/[^\s@<>]@[^\s@<>]/)),
    STRIPE_WEBHOOK_SECRET: required(filled.regex(/^[^\s,]+(\s*,\s*[^\s,]+)*$/)),
    STRIPE_SECRET_KEY: required(secretKey),
    PAYMENT_LINK_PREFIX: url.optional(),
    SESSION_SECRET: required(filled.min(32)),
    BRAND_NAME: required(filled),
    COMPANY_NAME: required(filled),
    CONTACT_EMAIL: required(z.email()),
    UNIVERSITY_NAME: required(filled),
    TRUST_PROXY: z.coerce.number().int().min(0).max(10).default(0),
    DRAIN_SECONDS: z.coerce
      .number()
      .int()
      .min(0)
      .max(300)
      .default(demo ? 0 : 5),
    POOL_MAX: z.coerce.number().int().min(2).max(1_000).default(12),
    ADMIN_TWO_FACTOR: z.enum(["required", "optional"]).default("optional"),
    LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).optional(),
  });
}

function assemble(given: z.infer<ReturnType<typeof shape>>, demo: boolean): Env {
  const dataDir = path.resolve(given.DATA_DIR);
  const secrets = demo ? demoSecrets(dataDir) : undefined;
  const appUrl = publicOrigin(given);
  return {
    port: given.PORT,
    host: given.HOST,
    appUrl,
    databaseUrl: given.DATABASE_URL,
    dataDir,
    demo,
    schoolDomains: list(given.SCHOOL_EMAIL_DOMAINS ?? "uni.example").map((d) => d.toLowerCase()),
    emailTags: given.EMAIL_TAGS,
    smtpUrl: given.SMTP_URL,
    mailFrom: given.MAIL_FROM ?? "Kickabout <no-reply@kickabout.example>",
    stripeWebhookSecrets: list(given.STRIPE_WEBHOOK_SECRET ?? secrets?.webhook ?? ""),
    stripeSecretKey: given.STRIPE_SECRET_KEY,
    paymentLinkPrefix: linkPrefix(given, demo, appUrl),
    sessionSecret: given.SESSION_SECRET ?? secrets?.session ?? "",
    brandName: given.BRAND_NAME ?? "Kickabout",
    companyName: given.COMPANY_NAME ?? "Kickabout",
    contactEmail: given.CONTACT_EMAIL ?? "hello@kickabout.example",
    universityName: given.UNIVERSITY_NAME ?? "Example University",
    trustProxy: given.TRUST_PROXY,
    drainSeconds: given.DRAIN_SECONDS,
    poolMax: given.POOL_MAX,
    adminTwoFactor: given.ADMIN_TWO_FACTOR,
  };
}

function publicOrigin({ APP_URL, PORT }: { APP_URL?: string; PORT: number }): string {
  return (APP_URL ?? `http://localhost:${PORT}`).replace(/\/$/, "");
}

function linkPrefix(
  given: { PAYMENT_LINK_PREFIX?: string; STRIPE_SECRET_KEY?: string },
  demo: boolean,
  appUrl: string,
): string {
  const usual = isSandbox({ demo, stripeSecretKey: given.STRIPE_SECRET_KEY })
    ? appUrl + SANDBOX_PATH
    : "https://buy.stripe.com/";
  return given.PAYMENT_LINK_PREFIX ?? usual;
}

const HOLDS: Record<string, string> = {
  PORT: "a port number, 0 to 65535",
  HOST: "an address to listen on",
  APP_URL: "the public origin, such as https://kickabout.example",
  DATABASE_URL: "postgres://user:password@host:5432/database",
  DATA_DIR: "a folder",
  DEMO: "1 or 0",
  SCHOOL_EMAIL_DOMAINS: "the school's mail domains, comma-separated",
  EMAIL_TAGS: "same or distinct",
  SMTP_URL: "smtp:// or smtps:// with user, password and host",
  MAIL_FROM: 'a sender, such as "Kickabout <no-reply@kickabout.example>"',
  STRIPE_WEBHOOK_SECRET: "the webhook's signing secret, whsec_…",
  STRIPE_SECRET_KEY:
    "Stripe's secret key, sk_live_… or sk_test_…, or a restricted one, rk_live_… or rk_test_…",
  PAYMENT_LINK_PREFIX: "an http(s) address",
  SESSION_SECRET: "at least 32 random characters",
  BRAND_NAME: "the product's name",
  COMPANY_NAME: "the company in the footer",
  CONTACT_EMAIL: "a mail address that people may write to",
  UNIVERSITY_NAME: "the university's name",
  TRUST_PROXY: "how many proxies stand in front, 0 to 10",
  DRAIN_SECONDS: "seconds, 0 to 300",
  POOL_MAX: "how many database connections a process may have, 2 to 1000",
  ADMIN_TWO_FACTOR: "required or optional",
  LOG_LEVEL: "fatal, error, warn, info, debug, trace or silent",
};

function complaint(error: z.ZodError): string {
  const names = [...new Set(error.issues.map((issue) => String(issue.path[0])))];
  const lines = names.map((name) => `  ${name}: ${HOLDS[name]}`);
  return `The configuration is not complete. Missing or malformed:\n${lines.join("\n")}`;
}

function list(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
}

interface DemoSecrets {
  session: string;
  webhook: string;
}

/** Generated once; of two processes that start together the first one wins. */
function demoSecrets(dataDir: string): DemoSecrets {
  const file = path.join(dataDir, "secrets.json");
  mkdirSync(dataDir, { recursive: true });
  return read(file) ?? create(file);
}

function create(file: string): DemoSecrets {
  const secrets = {
    session: randomBytes(32).toString("hex"),
    webhook: `whsec_${randomBytes(24).toString("hex")}`,
  };
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(secrets), { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  return read(file) ?? secrets;
}

function read(file: string): DemoSecrets | null {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
