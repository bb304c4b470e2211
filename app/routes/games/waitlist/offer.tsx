import { useNavigation, useSearchParams } from "react-router";
import { FormKey } from "#app/forms/form-key.tsx";
import { Shown } from "#app/forms/shown.tsx";
import { resultOf } from "#app/forms/form-result.ts";
import { PostForm } from "#app/forms/post-form.tsx";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { type BarProps, bigClass, type OwnProps, Pair } from "./bar.tsx";

/** A held spot: in a dialog for those who come from the email, and in the bar. */
export function Offer({ game, place, result }: OwnProps) {
  const [query] = useSearchParams();
  const title = `A spot is held for you until ${place.offeredUntil}`;
  const buttons = (
    <Pair>
      <DeclineForm place={place} />
      <TakeForm game={game} result={result} />
    </Pair>
  );
  const about = (
    <p className="text-sm text-muted tabular-nums">
      {place.takes} {game.balance && `${game.balance}. `}“No thanks” takes you off the waitlist.
    </p>
  );
  return (
    // Without JavaScript the open dialog is part of the page, which then must not repeat it.
    <div className="grid grow gap-3 [&:has(dialog[open]:not(:modal))>:not(dialog)]:hidden">
      <div>
        <p className="text-lg font-bold tabular-nums">{title}</p>
        {about}
      </div>
      {buttons}
      {query.get("offer") === "1" && (
        <Dialog id="offer" title={title} open={!result}>
          <p className="font-semibold">
            {game.venue.name}, {game.shortDate}, {game.start}
          </p>
          <div className="mt-1 mb-6">{about}</div>
          {buttons}
        </Dialog>
      )}
    </div>
  );
}

function TakeForm({ game, result }: BarProps) {
  const isTaking = useNavigation().formData?.get("intent") === "take-offer";
  const asks = resultOf(result, "take-offer")?.reason === "plays-meanwhile";
  return (
    <PostForm preventScrollReset>
      <input type="hidden" name="intent" value="take-offer" />
      <FormKey />
      <input type="hidden" name="priceShown" value={game.price.credits} />
      <Shown facts={game.shown} />
      <input type="hidden" name="overlap" value={asks ? "join" : "ask"} />
      <Button
        variant="primary"
        size="lg"
        pending={isTaking}
        pendingLabel="Joining…"
        className={bigClass}
      >
        {asks ? "Take it anyway" : "Take it"}
      </Button>
    </PostForm>
  );
}

function DeclineForm({ place }: Pick<OwnProps, "place">) {
  const isLeaving = useNavigation().formData?.get("intent") === "leave-waitlist";
  return (
    <PostForm preventScrollReset>
      <input type="hidden" name="intent" value="leave-waitlist" />
      <Shown facts={place.shown} />
      <Button size="lg" pending={isLeaving} pendingLabel="Leaving…" className={bigClass}>
        No thanks
      </Button>
    </PostForm>
  );
}
