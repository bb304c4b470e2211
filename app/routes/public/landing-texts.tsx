import type { ReactNode } from "react";
import { CANCELLATION_POLICY } from "#app/features/seats/rules.ts";
import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { creditsInEuros } from "#app/platform/money.ts";

const PRICE = creditsInEuros(GAME_PRICE_CENTS);

/** Why students leave the chat in which they used to arrange games. */
export function BeyondTheChat() {
  return (
    <section aria-labelledby="beyond" className="mx-auto max-w-6xl px-4 pt-12">
      <h2 id="beyond" className="text-xl">
        What a group chat can't give you
      </h2>
      <ul className="mt-4 grid gap-6 md:grid-cols-3">
        <Point title="A certain spot">
          Once you've joined, the spot is yours. Nobody counts names, nobody turns up as the
          eleventh.
        </Point>
        <Point title="A certain price">
          {`${PRICE} for every game, shown before you join. Nobody chases anyone for money.`}
        </Point>
        <Point title="The refund rule, before you tap">{CANCELLATION_POLICY.join(" ")}</Point>
      </ul>
    </section>
  );
}

function Point({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className="border-t-2 border-edge pt-3">
      <h3 className="text-lg">{title}</h3>
      <p className="mt-1 text-muted">{children}</p>
    </li>
  );
}

const WEEKS = [
  { text: "Lectures on Monday, futsal on Tuesday.", role: "Bachelor student, Espoo" },
  { text: "New in town, no team, only boots.", role: "Exchange student, Helsinki" },
  { text: "The pitch is booked. I just turn up.", role: "Master's student, Vantaa" },
];

export function Weeks() {
  return (
    <section aria-labelledby="weeks" className="mx-auto max-w-6xl px-4 py-8">
      <h2 id="weeks" className="text-xl">
        What a week looks like
      </h2>
      <p className="mt-1 text-muted">Made-up examples, not real reviews.</p>
      <div className="mt-4 grid gap-4 md:grid-cols-3">
        {WEEKS.map(({ text, role }) => (
          <figure key={role} className="grid gap-1 rounded-card bg-surface p-4 shadow-card">
            <blockquote>
              <p>“{text}”</p>
            </blockquote>
            <figcaption className="text-sm text-muted">{role}</figcaption>
          </figure>
        ))}
      </div>
    </section>
  );
}
