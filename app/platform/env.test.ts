import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  ConfigurationError,
  readDatabaseEnv,
  readEnv,
  readFilesEnv,
  readStripeEnv,
} from "./env.server.ts";
import { newVapidKeys } from "./vapid-keys.server.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "kickabout-env-"));
afterAll(() => rmSync(folder, { recursive: true }));

const COMPLETE = {
  DEMO: "0",
  DATABASE_URL: "postgres://app:hunter2@db.example:5432/kickabout",
  APP_URL: "https://kickabout.example/",
  SCHOOL_EMAIL_DOMAINS: "Uni.Example, other.example",
  SMTP_URL: "smtps://user:hunter3@mail.example",
  MAIL_FROM: "Kickabout <no-reply@kickabout.example>",
  STRIPE_WEBHOOK_SECRET: "whsec_one, whsec_two",
  STRIPE_SECRET_KEY: "sk_live_hunter4",
  SESSION_SECRET: "hunter5-hunter5-hunter5-hunter5-hunter5",
  BRAND_NAME: "Kickabout",
  COMPANY_NAME: "Kickabout Oy",
  CONTACT_EMAIL: "hello@kickabout.example",
  UNIVERSITY_NAME: "Example University",
};

function complaint(source: Record<string, string>): string {
  try {
    readEnv(source);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  throw new Error("accepted");
}
const named = (message: string) => [...message.matchAll(/^ {2}([A-Z_]+): \S/gm)].map(([, n]) => n);

describe("outside the demo", () => {
  test("a complete configuration is read", () => {
    expect(readEnv(COMPLETE)).toMatchObject({
      demo: false,
      port: 3000,
      appUrl: "https://kickabout.example",
      schoolDomains: ["uni.example", "other.example"],
      stripeWebhookSecrets: ["whsec_one", "whsec_two"],
      paymentLinkPrefix: "https://buy.stripe.com/",
      trustProxy: 0,
      drainSeconds: 5,
      role: "all",
      poolMax: 12,
    });
  });

  test("replies by email need an address and a secret, or neither", () => {
    expect(readEnv(COMPLETE).supportReplies).toBeNull();
    const address = { SUPPORT_REPLY_ADDRESS: "support@kickabout.example" };
    const secret = { INBOUND_MAIL_SECRET: "hunter7-hunter7-hunter7-hunter7-hunter7" };
    expect(readEnv({ ...COMPLETE, ...address, ...secret }).supportReplies).toEqual({
      address: "support@kickabout.example",
      secret: secret.INBOUND_MAIL_SECRET,
    });
    for (const half of [address, secret]) {
      expect(complaint({ ...COMPLETE, ...half })).toMatch(/SUPPORT_REPLY_ADDRESS and INBOUND/);
      expect(complaint({ ...COMPLETE, ...half })).not.toContain("hunter");
    }
    const tagged = { SUPPORT_REPLY_ADDRESS: "a+b@c.example", INBOUND_MAIL_SECRET: "short" };
    expect(named(complaint({ ...COMPLETE, ...tagged }))).toEqual([
      ...["SUPPORT_REPLY_ADDRESS", "INBOUND_MAIL_SECRET"],
    ]);
  });

  test("the seller's registrations are optional, and VAT rates have Finland's by default", () => {
    const { seller, vatRates, mailsReceipts } = readEnv(COMPLETE);
    expect([seller, mailsReceipts]).toEqual([{}, true]);
    expect(vatRates).toEqual([
      { from: "2026-01-01", perMille: 135 },
      { from: "2025-01-01", perMille: 140 },
      { from: "2013-01-01", perMille: 100 },
    ]);
    const given = {
      SELLER_VAT_ID: "FI12345678",
      VAT_RATES: "2024-09-01=25.5",
      RECEIPT_EMAILS: "0",
    };
    expect(readEnv({ ...COMPLETE, ...given })).toMatchObject({
      seller: { vatId: "FI12345678" },
      vatRates: [{ from: "2024-09-01", perMille: 255 }],
      mailsReceipts: false,
    });
    const wrong = { VAT_RATES: "2026-01-01=13,5", RECEIPT_EMAILS: "no" };
    expect(named(complaint({ ...COMPLETE, ...wrong }))).toEqual(Object.keys(wrong));
  });

  test("keys for push are optional, and only a pair is taken", () => {
    expect(readEnv(COMPLETE).vapid).toBeNull();
    const [one, other] = [newVapidKeys(), newVapidKeys()];
    const given = { VAPID_PUBLIC_KEY: one.publicKey, VAPID_PRIVATE_KEY: one.privateKey };
    expect(readEnv({ ...COMPLETE, ...given }).vapid).toEqual(one);
    for (const wrong of [{ VAPID_PRIVATE_KEY: other.privateKey }, { VAPID_PRIVATE_KEY: "" }]) {
      expect(complaint({ ...COMPLETE, ...given, ...wrong })).toContain("VAPID_PRIVATE_KEY: a pair");
    }
    expect(named(complaint({ ...COMPLETE, ...given, VAPID_PUBLIC_KEY: "AAAA" }))).toEqual([
      "VAPID_PUBLIC_KEY",
    ]);
  });

  test("a bucket is all five variables or none, and no secret is named", () => {
    expect(readEnv(COMPLETE).bucket).toBeNull();
    const given = {
      S3_ENDPOINT: "https://s3.example/",
      S3_BUCKET: "pictures",
      S3_REGION: "eu-north-1",
      S3_ACCESS_KEY_ID: "hunter9",
      S3_SECRET_ACCESS_KEY: "hunter/8+8",
    };
    expect(readEnv({ ...COMPLETE, ...given }).bucket).toEqual({
      endpoint: "https://s3.example",
      name: "pictures",
      region: "eu-north-1",
      accessKeyId: "hunter9",
      secretAccessKey: "hunter/8+8",
    });
    expect(readFilesEnv({ ...given, DATA_DIR: "/data", DEMO: "0" })).toMatchObject({
      dataDir: "/data",
      bucket: { name: "pictures" },
    });
    for (const name of Object.keys(given)) {
      const message = complaint({ ...COMPLETE, ...given, [name]: "" });
      expect(message).toBe(`S3_…: all five or none. Missing: ${name}`);
    }
    const wrong = {
      S3_ENDPOINT: "https://hunter:hunter@s3.example/?x",
      S3_BUCKET: "Pictures/of",
      S3_REGION: "eu north",
      S3_ACCESS_KEY_ID: "hunter 9",
      S3_SECRET_ACCESS_KEY: "hunter\n8",
    };
    const message = complaint({ ...COMPLETE, ...wrong });
    for (const name of Object.keys(wrong)) expect(message).toContain(`  ${name}: `);
    expect(message).not.toContain("hunter");
  });

  test("metrics and traces are off until they are asked for, access lines on", () => {
    const { metrics, hasTraces, accessLog, slowQueryMs } = readEnv(COMPLETE);
    expect([metrics, hasTraces, accessLog, slowQueryMs]).toEqual([null, false, true, 500]);
    const given = { METRICS_PORT: "9464", ACCESS_LOG: "0", SLOW_QUERY_MS: "100" };
    const OTEL_EXPORTER_OTLP_ENDPOINT = "http://collector.example:4318";
    expect(readEnv({ ...COMPLETE, ...given, OTEL_EXPORTER_OTLP_ENDPOINT })).toMatchObject({
      metrics: { port: 9464, host: "127.0.0.1" },
      hasTraces: true,
      accessLog: false,
      slowQueryMs: 100,
    });
    const wrong = { METRICS_PORT: "soon", ACCESS_LOG: "no", SLOW_QUERY_MS: "0" };
    const names = named(complaint({ ...COMPLETE, ...wrong, OTEL_EXPORTER_OTLP_ENDPOINT: "here" }));
    expect(names).toEqual([...Object.keys(wrong), "OTEL_EXPORTER_OTLP_ENDPOINT"]);
  });

  test("the drain and the pool are numbers that make sense", () => {
    const given = { ...COMPLETE, DRAIN_SECONDS: "30", POOL_MAX: "4" };
    expect(readEnv(given)).toMatchObject({ drainSeconds: 30, poolMax: 4 });
    const wrong = { ...COMPLETE, DRAIN_SECONDS: "soon", POOL_MAX: "1" };
    expect(named(complaint(wrong))).toEqual(["DRAIN_SECONDS", "POOL_MAX"]);
    expect(readEnv({ DEMO: "1", DATA_DIR: folder }).drainSeconds).toBe(0);
  });

  test("every variable that is missing at once is named in one message", () => {
    const required = Object.keys(COMPLETE).filter(
      (name) => !["DEMO", "DATABASE_URL", "APP_URL"].includes(name),
    );
    expect(named(complaint({ DEMO: "0" })).sort()).toEqual(required.sort());
  });

  test("an empty value counts as missing", () => {
    expect(named(complaint({ ...COMPLETE, BRAND_NAME: "" }))).toEqual(["BRAND_NAME"]);
  });

  test("a DATABASE_URL alone ends the demo", () => {
    expect(complaint({ DATABASE_URL: COMPLETE.DATABASE_URL })).toContain("SESSION_SECRET");
  });

  test.each([
    ["PORT", "70000"],
    ["APP_URL", "ours.example"],
    ["DATABASE_URL", "mysql://hunter2@db/x"],
    ["DATABASE_URL", "postgres:hunter2"],
    ["DEMO", "yes"],
    ["SCHOOL_EMAIL_DOMAINS", "a b"],
    ["EMAIL_TAGS", "some"],
    ["SMTP_URL", "https://hunter3@mail.example"],
    ["MAIL_FROM", "nobody"],
    ["STRIPE_SECRET_KEY", "pk_live_hunter4"],
    ["SESSION_SECRET", "hunter5"],
    ["CONTACT_EMAIL", "hunter"],
    ["CONTACT_PHONE", "hunter6"],
    ["TRUST_PROXY", "-1"],
    ["LOG_LEVEL", "loud"],
  ])("a malformed %s is named, alone, and its value is not shown", (name, value) => {
    const message = complaint({ ...COMPLETE, [name]: value });
    expect(named(message)).toEqual([name]);
    expect(message).not.toContain(value);
  });

  test("a key that ends where its secret begins is none", () => {
    const message = complaint({ ...COMPLETE, STRIPE_SECRET_KEY: "sk_test_" });
    expect(named(message)).toEqual(["STRIPE_SECRET_KEY"]);
  });

  test("no secret that was given appears in a complaint about others", () => {
    const message = complaint({ ...COMPLETE, UNIVERSITY_NAME: "", SESSION_SECRET: "hunter-short" });
    expect(named(message).sort()).toEqual(["SESSION_SECRET", "UNIVERSITY_NAME"]);
    expect(message).not.toMatch(/hunter|whsec_one/);
  });
});

describe("in the demo", () => {
  test("nothing is required, and secrets are made once", () => {
    const env = readEnv({ DATA_DIR: folder, PORT: "3999" });
    expect(env).toMatchObject({
      demo: true,
      port: 3999,
      appUrl: "http://localhost:3999",
      databaseUrl: undefined,
      dataDir: folder,
      schoolDomains: ["uni.example"],
      smtpUrl: undefined,
      stripeSecretKey: undefined,
      paymentLinkPrefix: "/demo/checkout/",
    });
    expect(env.sessionSecret.length).toBeGreaterThanOrEqual(32);
    expect(env.stripeWebhookSecrets[0]).toMatch(/^whsec_/);
    expect(readEnv({ DATA_DIR: folder })).toMatchObject({
      sessionSecret: env.sessionSecret,
      stripeWebhookSecrets: env.stripeWebhookSecrets,
      vapid: env.vapid,
    });
    expect(env.vapid?.publicKey).toMatch(/^B[\w-]{86}$/);
  });
});

describe("the Stripe commands", () => {
  const read = (source: Record<string, string>) => readStripeEnv({ DATA_DIR: folder, ...source });

  test("need a key and nothing of mail, words or secrets", () => {
    expect(
      read({ DEMO: "0", STRIPE_SECRET_KEY: "rk_live_1", APP_URL: "https://k.example" }),
    ).toEqual({
      demo: false,
      appUrl: "https://k.example",
      stripeSecretKey: "rk_live_1",
      paymentLinkPrefix: "https://buy.stripe.com/",
    });
    for (const key of ["", "hunter6"]) {
      expect(() => read({ STRIPE_SECRET_KEY: key })).toThrow(/malformed:\n {2}STRIPE_SECRET_KEY: /);
      expect(() => read({ STRIPE_SECRET_KEY: key })).not.toThrow(/hunter/);
    }
  });

  test("a key ends the sandbox, and a prefix of one's own stands", () => {
    const key = { STRIPE_SECRET_KEY: "sk_test_1" };
    expect(read(key).paymentLinkPrefix).toBe("https://buy.stripe.com/");
    const own = { ...key, PAYMENT_LINK_PREFIX: "https://pay.k.example/" };
    expect(read(own).paymentLinkPrefix).toBe("https://pay.k.example/");
    expect(readEnv({ DATA_DIR: folder, ...key }).paymentLinkPrefix).toBe("https://buy.stripe.com/");
  });
});

test("ways of paying are names, with MobilePay for single payments only unless configured", () => {
  const given = { DATA_DIR: folder };
  expect(readEnv(given).paymentMethods).toEqual({
    single: ["card", "MobilePay"],
    monthly: ["card"],
  });
  const own = { PAYMENT_METHODS: "card , Bancontact", MONTHLY_PAYMENT_METHODS: "card, SEPA" };
  expect(readEnv({ ...given, ...own }).paymentMethods).toEqual({
    single: ["card", "Bancontact"],
    monthly: ["card", "SEPA"],
  });
  for (const wrong of [",", "card,,MobilePay", "card,"]) {
    expect(() => readEnv({ ...given, PAYMENT_METHODS: wrong })).toThrow("PAYMENT_METHODS");
  }
});

test("commands need no more than the database and the folder", () => {
  expect(readDatabaseEnv({ DATABASE_URL: "", DATA_DIR: folder })).toEqual({
    databaseUrl: undefined,
    dataDir: folder,
  });
});
