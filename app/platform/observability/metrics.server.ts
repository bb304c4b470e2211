import { Counter, Gauge, Histogram, Registry } from "prom-client";

export const registry = new Registry();

const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const requestSeconds = new Histogram({
  name: "kickabout_http_request_duration_seconds",
  help: "Time until a response was sent, since the request's body was there, by the route's pattern",
  labelNames: ["method", "route", "status"],
  buckets: SECONDS,
  registers: [registry],
});

export const statementSeconds = new Histogram({
  name: "kickabout_db_statement_duration_seconds",
  help: "Time of a statement, with waiting for locks and without waiting for a connection",
  labelNames: ["pool"],
  buckets: SECONDS,
  registers: [registry],
});

export const pagesRendered = new Counter({
  name: "kickabout_pages_rendered_total",
  help: "Pages that React has rendered; others were filled from one that it had rendered before",
  registers: [registry],
});

export const slowStatements = new Counter({
  name: "kickabout_db_slow_statements_total",
  help: "Statements above SLOW_QUERY_MS",
  registers: [registry],
});

export const errorsLogged = new Counter({
  name: "kickabout_errors_total",
  help: "Errors, also those that the log counts only",
  registers: [registry],
});

export const mails = new Counter({
  name: "kickabout_mails_total",
  help: "Attempts to send an email",
  labelNames: ["result"],
  registers: [registry],
});

export const securityEvents = new Counter({
  name: "kickabout_security_events_total",
  help: "Lines of the log with msg security",
  labelNames: ["event"],
  registers: [registry],
});

const STRIPE_REJECTIONS = ["unsigned", "signature", "body"] as const;

export const stripeRejections = new Counter({
  name: "kickabout_stripe_rejections_total",
  help: "Rejected requests to /webhooks/stripe; unsigned: without a signature of the last minutes",
  labelNames: ["reason"],
  registers: [registry],
});
// A counter that begins with its first event hides that one from Prometheus.
for (const reason of STRIPE_REJECTIONS) stripeRejections.inc({ reason }, 0);

export type StripeRejection = (typeof STRIPE_REJECTIONS)[number];

const VITALS = {
  LCP: vital("lcp_seconds", "Largest Contentful Paint", [0.5, 1, 1.5, 2, 2.5, 3, 4, 6, 10]),
  INP: vital("inp_seconds", "Interaction to Next Paint", [0.05, 0.1, 0.2, 0.3, 0.5, 1, 2]),
  CLS: vital("cls", "Cumulative Layout Shift", [0.01, 0.05, 0.1, 0.15, 0.25, 0.5, 1]),
};

function vital(name: string, text: string, buckets: number[]) {
  return new Histogram({
    name: `kickabout_web_vitals_${name}`,
    help: `${text} of a sample of browsers, by the page that they began with`,
    labelNames: ["page"],
    buckets,
    registers: [registry],
  });
}

export function recordVitals(page: string, values: Partial<Record<keyof typeof VITALS, number>>) {
  for (const name of ["LCP", "INP", "CLS"] as const) {
    const value = values[name];
    if (value !== undefined) VITALS[name].observe({ page }, value);
  }
}

function gauge(name: string, help: string, labelNames: string[] = [], collect?: () => unknown) {
  const more = { registers: [registry], ...(collect && { collect: () => void collect() }) };
  const made = new Gauge({ name: `kickabout_${name}`, help, labelNames, ...more });
  // Without labels it would begin at 0, as if measured.
  if (labelNames.length === 0) made.remove();
  return made;
}

export const gauges = {
  poolConnections: gauge("db_pool_connections", "Open connections", ["pool", "state"]),
  poolWaiting: gauge("db_pool_waiting", "Requests or jobs waiting for a connection", ["pool"]),
  poolMax: gauge("db_pool_max", "Connections that a pool may have", ["pool"]),
  liveStreams: gauge("live_streams", "Open streams of /live"),
  visitorStreams: gauge("live_streams_of_visitors", "Those of them that no session has kept"),
  clockOffset: gauge(
    "clock_offset_seconds",
    "How far this machine's clock is ahead of PostgreSQL's",
  ),
  databaseUp: gauge("database_up", "1 if the database answers within a second, otherwise 0"),
};

export const scheduledJobGauges = {
  succeededAt: gauge("duty_succeeded_timestamp_seconds", "0 if never since the start", ["duty"]),
  interval: gauge("duty_interval_seconds", "How often it is to be done", ["duty"]),
};

const CANARY_STEPS = ["prepare", "page", "join", "tickets", "cancel", "books", "commit"] as const;
export type CanaryStep = (typeof CANARY_STEPS)[number];

const canaryFailures = new Counter({
  name: "kickabout_canary_failures_total",
  help: "Bookings of the canary that failed, by the step",
  labelNames: ["step"],
  registers: [registry],
});
let canarySucceededAt: number | null = null;
const canaryAge = gauge(
  "canary_age_seconds",
  "Since the canary last booked and cancelled, or began; absent where there is none",
  [],
  () => canarySucceededAt !== null && canaryAge.set((Date.now() - canarySucceededAt) / 1_000),
);

/** What app/canary.server.ts reports. */
export const canary = {
  seconds: new Histogram({
    name: "kickabout_canary_duration_seconds",
    help: "Time in which the canary books and cancels",
    buckets: SECONDS,
    registers: [registry],
  }),
  failures: canaryFailures,
  begin() {
    for (const step of CANARY_STEPS) canaryFailures.inc({ step }, 0);
    canarySucceededAt = Date.now();
  },
  succeed: () => void (canarySucceededAt = Date.now()),
};

export const storedGauges = {
  jobs: gauge("jobs", "Jobs that wait, run, or failed and are tried again", ["kind", "state"]),
  oldestJob: gauge("jobs_oldest_seconds", "How long the oldest unfinished job is due", ["kind"]),
  mailsGivenUp: gauge("mails_given_up", "Emails that were given up, as listed in the inbox"),
  mailOutage: gauge(
    "mail_outage_seconds",
    "How long the mail server has accepted no emails; otherwise 0",
  ),
  unmatchedPayments: gauge("unmatched_payments", "Stripe's events that could not be matched"),
  metricsUnread: gauge("figures_unread", "How many of these could not be read"),
  ledgerDifferences: gauge("ledger_differences", "Lines that npm run check:ledger would print"),
  ledgerCheckedAt: gauge("ledger_checked_timestamp_seconds", "When that was counted last"),
};
