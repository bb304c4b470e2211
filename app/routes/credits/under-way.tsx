import type { ReactNode } from "react";
import { Link } from "react-router";
import { Notice } from "#app/ui/notice.tsx";
import type { UnderWayView } from "./under-way.server.ts";

type UnderWayProps = { payments: UnderWayView[]; className?: string };

/** Payments that have no credits yet; they stay for days, so none interrupts. */
export function UnderWay({ payments, className = "" }: UnderWayProps) {
  if (payments.length === 0) return null;
  return (
    <section aria-label="Payments on their way" className={`grid gap-3 ${className}`}>
      {payments.map(({ id, tone, title, game, text }) => (
        <Notice key={id} tone={tone} title={title} isUrgent={false} className="tabular-nums">
          {game && (
            <Link to={game.path} className="link inline-flex min-h-11 items-center font-semibold">
              {game.name}
            </Link>
          )}
          <p className="wrap-anywhere whitespace-pre-line">{text}</p>
        </Notice>
      ))}
    </section>
  );
}

interface GameWithPayments {
  payments: UnderWayView[];
  paying: { holdsSpot: boolean; isPending: boolean } | null;
}

/** Those of a game that its bar does not say. */
export default function GamePayments({ game }: { game: GameWithPayments }): ReactNode {
  return <UnderWay payments={game.payments.filter((one) => one !== findInBar(game))} />;
}

/** What the bar of a game says of the spot that it holds: the newest payment that is on its way. */
export function findInBar(game: GameWithPayments): UnderWayView | undefined {
  if (!game.paying?.holdsSpot || !game.paying.isPending) return undefined;
  return game.payments.find(({ tone }) => tone === "info");
}
