import { setTimeout as delay } from "node:timers/promises";
import Stripe from "stripe";
import type { SentEvent } from "#app/routes/demo/stripe-objects.ts";
import type { Dice } from "#test/dice.ts";
import type { Story } from "#test/payment-stories.ts";
import type { MortalSite } from "./mortal-site.ts";

/** What the couriers met on their way: how often each answer came, and what left them without. */
export interface Journal {
  answers: Record<string, number>;
  failures: Record<string, number>;
  kills: number;
  /** Events that had done their work before the answer was cut off. */
  doneUnheard: number;
}

const COURIERS = 8;
const ATTEMPTS = 100;
const LATE = 0.1;
const COPIES = [1, 1, 1, 2, 2, 3, 4, 5];

/** Every event one to five times, in no order; a tenth of them only when all others have come. */
export function deliveriesOf(dice: Dice, stories: Story[]): SentEvent[] {
  const copies = (sent: SentEvent) => Array.from({ length: dice.pick(COPIES) }, () => sent);
  const events = stories.flatMap((story) => story.events);
  const { late = [], timely = [] } = Object.groupBy(events, () =>
    dice.chance(LATE) ? "late" : "timely",
  );
  return [...dice.shuffled(timely.flatMap(copies)), ...dice.shuffled(late.flatMap(copies))];
}

interface Round {
  deliveries: SentEvent[];
  secret: string;
  /** The deliveries during which the site is killed, by their number. */
  kills: Set<number>;
  dice: Dice;
  /** What else happens after each delivery. */
  between(): Promise<void>;
}

/** Delivers like Stripe: several at once, signed when they are sent, again until there is a 2xx. */
export async function deliverAll(site: MortalSite, round: Round): Promise<Journal> {
  const journal: Journal = { answers: {}, failures: {}, kills: 0, doneUnheard: 0 };
  const unheard = new Set(round.deliveries.map(({ id }) => id));
  const restarts: Promise<void>[] = [];
  const queue = round.deliveries.entries();
  const work = async () => {
    for (const [n, sent] of queue) {
      const delivered = deliver(site, round.secret, sent, journal);
      // At any moment of the deliveries that are under way.
      if (round.kills.has(n)) restarts.push(delay(round.dice.whole(0, 15)).then(site.kill));
      const answer = await delivered;
      count(journal.answers, answer);
      if (answer !== "repeated") unheard.delete(sent.id);
      await round.between();
    }
  };
  await Promise.all(Array.from({ length: COURIERS }, work));
  await Promise.all(restarts);
  return { ...journal, kills: restarts.length, doneUnheard: unheard.size };
}

async function deliver(site: MortalSite, secret: string, sent: SentEvent, journal: Journal) {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const answer = await post(site.url, secret, JSON.stringify(sent)).catch(reasonOf);
    if (typeof answer === "object" && answer.status === 200) return answer.text;
    count(journal.failures, typeof answer === "string" ? answer : String(answer.status));
    await site.up();
  }
  throw new Error(`${sent.type} ${sent.id} was not taken ${ATTEMPTS} times`);
}

async function post(url: string, secret: string, payload: string) {
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret });
  const answer = await fetch(`${url}/webhooks/stripe`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Stripe-Signature": signature },
    body: payload,
  });
  return { status: answer.status, text: await answer.text() };
}

/** Such as ECONNREFUSED; fetch hides it. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as { code?: string } | undefined) : null;
  return cause?.code ?? String(error);
}

function count(counts: Record<string, number>, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}
