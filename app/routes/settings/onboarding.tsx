import type { ReactNode } from "react";
import { CANCELLATION_POLICY } from "#app/features/seats/rules.ts";
import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { creditsText, euros } from "#app/platform/money.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Ball, Check, Pin, Ticket } from "#app/ui/icon.tsx";
import { Wallet } from "#app/ui/other-icons.tsx";
import { metaOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/onboarding";
import { SettingsPage } from "./settings-page.tsx";

export const meta = metaOf({ title: "Onboarding", path: "/settings/onboarding" });

export async function loader() {
  const price = creditsText(GAME_PRICE_CENTS);
  return { policy: CANCELLATION_POLICY, price, creditPrice: euros(100) };
}

export default function Onboarding({ loaderData }: Route.ComponentProps) {
  return (
    <SettingsPage title="How it works" lead="From your phone to the pitch in five steps.">
      <ol className="grid gap-4">
        <Step number={1} icon={<Pin />} title="Find a game">
          The Games tab shows what's on over the next two weeks. Filter by city, indoor or outdoor,
          and look at how many spots are left.
        </Step>
        <Step number={2} icon={<Wallet />} title="Get credits">
          A game costs {loaderData.price} credits, and 1 credit is {loaderData.creditPrice}. Buy a
          single game or a monthly plan in your wallet. Some games are free for your first session.
        </Step>
        <Step number={3} icon={<Ball />} title="Join">
          One tap takes your spot and pays for it. A confirmation comes by email.
        </Step>
        <Step number={4} icon={<Ticket />} title="Change of plans?">
          <p>Cancel under My Games; it says what you get back before you confirm.</p>
          <ul className="mt-2 list-disc pl-5">
            {loaderData.policy.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Step>
        <Step number={5} icon={<Check />} title="Play">
          Come ten minutes early with shoes for the surface. Play five games in a month and claim 10
          credits on your profile.
        </Step>
      </ol>
      <ButtonLink to="/events" variant="primary" size="lg" wide>
        FIND A GAME
      </ButtonLink>
    </SettingsPage>
  );
}

type StepProps = { number: number; icon: ReactNode; title: string; children: ReactNode };

function Step({ number, icon, title, children }: StepProps) {
  return (
    <li className="grid grid-cols-[2.75rem_1fr] gap-4 rounded-card bg-surface p-4 shadow-card">
      <span className="grid size-11 place-items-center rounded-pill bg-sunken">{icon}</span>
      <div>
        <h2 className="text-lg">
          <span className="text-muted tabular-nums">{number}</span> {title}
        </h2>
        <div className="mt-1">{children}</div>
      </div>
    </li>
  );
}
