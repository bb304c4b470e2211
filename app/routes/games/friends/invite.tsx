import { FormErrors } from "#app/forms/form-errors.tsx";
import { FormKey } from "#app/forms/form-key.tsx";
import { Shown } from "#app/forms/shown.tsx";
import type { FormResult } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { FieldToCopy } from "#app/ui/field-to-copy.tsx";
import type { FriendsView } from "./view.server.ts";
import type { GamePage } from "#app/routes/games/game-page.server.ts";
import { InviteLinks } from "./invite-links.tsx";

interface InviteProps {
  game: GamePage;
  friends: FriendsView | null;
  result: FormResult | undefined;
}

export function Invite({ game, friends, result }: InviteProps) {
  const { live, offer, limit = null, shown = null, closed, said = [] } = friends ?? {};
  return (
    <section
      id="friends"
      tabIndex={-1}
      aria-labelledby="friends-title"
      className="grid scroll-mt-20 gap-3 rounded-card bg-surface p-4 shadow-card outline-none"
    >
      <h2 id="friends-title" className="text-lg">
        Invite
      </h2>
      <FormErrors result={result} />
      {/* It changes while the page is open. */}
      <div role="status" className="grid gap-3 empty:hidden">
        {said.map((sentence) => (
          <p key={sentence} className="font-semibold wrap-anywhere tabular-nums">
            {sentence}
          </p>
        ))}
      </div>
      <InviteLinks game={game} />
      {live ? (
        <HeldLink live={live} />
      ) : (
        <FieldToCopy label="Link to the game" value={game.share.url} noun="link" />
      )}
      {offer && <HoldForm offer={offer} limit={limit} shown={shown} />}
      {closed && <p className="text-muted">{closed}</p>}
    </section>
  );
}

function HoldForm({ offer, limit, shown }: Pick<FriendsView, "offer" | "limit" | "shown">) {
  return (
    <IntentForm intent="hold" preventScrollReset className="grid gap-3 sm:flex sm:items-center">
      <FormKey />
      <Shown facts={shown} />
      <p className="grow text-muted tabular-nums">
        {offer} Your friend signs up or signs in with a school email, and pays from their own
        wallet. {limit}
      </p>
      <SubmitButton pendingLabel="Holding…" className="shrink-0">
        Hold a spot
      </SubmitButton>
    </IntentForm>
  );
}

function HeldLink({ live }: { live: NonNullable<FriendsView["live"]> }) {
  return (
    <>
      <p className="font-semibold tabular-nums">{`One spot is held until ${live.until}.`}</p>
      <FieldToCopy label="Link for your friend" value={live.link} noun="link" />
      <p className="text-sm text-muted">
        The first to join with it gets the spot, and needs a school email. Anyone who opens it sees
        your first name.
      </p>
      <details>
        <summary className="link inline-flex min-h-11 items-center font-semibold">
          Give it back
        </summary>
        <IntentForm
          intent="give-back"
          preventScrollReset
          className="grid justify-items-start gap-3"
        >
          <Shown facts={live.shown} />
          <p>{live.givenBack}</p>
          <SubmitButton pendingLabel="Giving back…">Yes, give it back</SubmitButton>
        </IntentForm>
      </details>
    </>
  );
}
