import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import Stripe from "stripe";
import type { SentEvent } from "#app/routes/demo/stripe-objects.ts";
import type { PaymentScenario } from "#test/payment-scenarios.ts";
import type { RestartableSite } from "./site.ts";

/** What the deliveries met: how often each status came, and what was left without one. */
export interface Journal {
  results: Record<string, number>;
  failures: Record<string, number>;
  kills: number;
  /** Events that were applied before the response was cut off. */
  doneUnanswered: number;
}

const DELIVERIES = 8;
const ATTEMPTS = 100;

/** Every event one to five times, in no order; a tenth of them only when all others have come. */
export function deliveriesOf(scenarios: PaymentScenario[]): fc.Arbitrary<SentEvent[]> {
  const copies = fc.constantFrom(1, 1, 1, 2, 2, 3, 4, 5);
  const late = fc.nat(9).map((tenth) => tenth === 0);
  const events = scenarios.flatMap((scenario) => scenario.events);
  return fc
    .tuple(...events.map((sent) => fc.tuple(fc.constant(sent), copies, late)))
    .chain((sendings) => {
      const deliveries = (isLate: boolean) =>
        sendings
          .filter(([, , isThisLate]) => isThisLate === isLate)
          .flatMap(([sent, count]) => Array.from({ length: count }, () => sent));
      return fc.tuple(shuffled(deliveries(false)), shuffled(deliveries(true)));
    })
    .map((parts) => parts.flat());
}

const shuffled = <T>(things: T[]) => fc.shuffledSubarray(things, { minLength: things.length });

interface Round {
  deliveries: SentEvent[];
  secret: string;
  /** The numbers of the deliveries during which the site is killed, and so many ms into them. */
  kills: Map<number, number>;
  /** What else happens after each delivery. */
  between(n: number): Promise<void>;
}

/** Delivers like Stripe: several at once, signed when they are sent, again until there is a 2xx. */
export async function deliverAll(site: RestartableSite, round: Round): Promise<Journal> {
  const journal: Journal = { results: {}, failures: {}, kills: 0, doneUnanswered: 0 };
  const unheard = new Set(round.deliveries.map(({ id }) => id));
  const restarts: Promise<void>[] = [];
  const queue = round.deliveries.entries();
  const work = async () => {
    for (const [n, sent] of queue) {
      const delivered = deliver(site, round.secret, sent, journal);
      // At any moment of the deliveries that are under way.
      const killAfterMs = round.kills.get(n);
      if (killAfterMs !== undefined) restarts.push(delay(killAfterMs).then(site.kill));
      const result = await delivered;
      count(journal.results, result);
      if (result !== "repeated") unheard.delete(sent.id);
      await round.between(n);
    }
  };
  await Promise.all(Array.from({ length: DELIVERIES }, work));
  await Promise.all(restarts);
  return { ...journal, kills: restarts.length, doneUnanswered: unheard.size };
}

async function deliver(site: RestartableSite, secret: string, sent: SentEvent, journal: Journal) {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const response = await post(site.url, secret, JSON.stringify(sent)).catch(reasonOf);
    if (typeof response === "object" && response.status === 200) return response.text;
    count(journal.failures, typeof response === "string" ? response : String(response.status));
    await site.up();
  }
  throw new Error(`${sent.type} ${sent.id} was not taken ${ATTEMPTS} times`);
}

async function post(url: string, secret: string, payload: string) {
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret });
  const response = await fetch(`${url}/webhooks/stripe`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Stripe-Signature": signature },
    body: payload,
  });
  return { status: response.status, text: await response.text() };
}

/** Such as ECONNREFUSED; fetch hides it. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as { code?: string } | undefined) : null;
  return cause?.code ?? String(error);
}

function count(counts: Record<string, number>, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}
