import type { ReactNode } from "react";
import { useRevalidator } from "react-router";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { rowClass } from "#app/routes/games/waitlist/bar.tsx";
import { Countdown } from "#app/ui/countdown.tsx";
import type { GamePage } from "./game-page.server.ts";

type PayingProps = { game: GamePage; children: ReactNode };

/** The spot that is held while its player pays; `children` lead on to the payment. */
export default function Paying({ game, children }: PayingProps) {
  const { revalidate } = useRevalidator();
  const { until, leftSeconds, isPaid, isPending } = game.paying!;
  if (isPaid) {
    return (
      <p role="status" className="text-lg font-bold">
        Booking your spot…
      </p>
    );
  }
  return (
    <div
      className={`grid grow gap-x-6 gap-y-2 ${isPending ? "" : "md:max-lg:grid-cols-[1fr_auto] md:max-lg:items-center"}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 text-sm">
        <p className="flex flex-wrap gap-x-2 font-semibold tabular-nums">
          <span>{`Spot held until ${until}`}</span>
          <Countdown seconds={leftSeconds} onEnd={() => void revalidate()} />
        </p>
        <IntentForm intent="stop-paying" preventScrollReset>
          <SubmitButton
            variant="quiet"
            pendingLabel="Giving it back…"
            className="link border-0! px-0!"
          >
            Give the spot back
          </SubmitButton>
        </IntentForm>
      </div>
      {isPending ? (
        <p>Your payment is under way. Once it is confirmed, you are in.</p>
      ) : (
        <div className={rowClass}>{children}</div>
      )}
    </div>
  );
}
