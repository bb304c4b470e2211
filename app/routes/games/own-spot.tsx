import type { ReactNode } from "react";
import type { FormResult } from "#app/forms/form-result.ts";
import { CancelForm } from "#app/routes/own-spot/cancel-form.tsx";
import { buttonClass, ButtonLink } from "#app/ui/button.tsx";
import { Calendar } from "#app/ui/icon.tsx";
import type { GamePage } from "./game-page.server.ts";

type OwnSpotProps = { game: GamePage; result: FormResult | undefined };

/** The ticket of a game to come; one that was not paid by credits is cancelled by nobody here. */
export default function OwnSpot({ game, result }: OwnSpotProps): ReactNode {
  const { id, spot, friends } = game;
  return (
    <div className="grid gap-5">
      {spot && <p className="tabular-nums">{spot.terms}</p>}
      <div className="flex flex-wrap gap-3 *:flex-1 *:basis-[8.5rem] *:px-2">
        <a href={`/events/${id}.ics`} className={buttonClass({})}>
          <Calendar className="size-5" /> Add to calendar
        </a>
        <ButtonLink to="/bookings">My Games</ButtonLink>
      </div>
      {spot && (
        <section className="border-t border-line pt-5">
          <h3 className="text-base font-bold">Cancel this booking?</h3>
          <CancelForm
            dialog="own-spot"
            booking={spot}
            holdsForFriend={!!friends?.live}
            result={result}
          />
        </section>
      )}
    </div>
  );
}
