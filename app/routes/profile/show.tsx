import { randomUUID } from "node:crypto";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { KeepDrafts } from "#app/forms/keep-drafts.tsx";
import { FormKey } from "#app/forms/form-key.tsx";
import { type FormResult, resultOf } from "#app/forms/form-result.ts";
import { ShortForm } from "#app/forms/intent-form.tsx";
import { unknownOutcomeOf } from "#app/forms/messages.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import type { CardView } from "#app/features/players/card-view.ts";
import { CardThumbnail } from "#app/features/players/player-card.tsx";
import { metaOf } from "#app/routes/meta.ts";
import { WalletHistory } from "#app/routes/credits/statement.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Check, Shield, icon } from "#app/ui/icon.tsx";
import { Star } from "#app/ui/other-icons.tsx";
import { Progress } from "#app/ui/progress.tsx";
import type { Route } from "./+types/show";
import { profileAction } from "./actions.server.ts";
import { EditDialog } from "./edit-dialog.tsx";
import { PictureDialog } from "./picture-dialog.tsx";
import { Interests, LoadFailed, ProfilePanel, Stats } from "./profile-parts.tsx";
import { loadOwnProfile, type OwnProfileView } from "./profile-view.server.ts";
import { ErrorScreen } from "#app/routes/error-screens.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  const profile = await loadOwnProfile(context.get(appContext), viewer);
  return { ...profile, userId: viewer.userId, formKey: randomUUID() };
}

export const action = profileAction;

export const meta = metaOf({ title: "Profile", path: "/profile" });

export default function Profile({ loaderData, actionData }: Route.ComponentProps) {
  const { challenge, stats, favouriteVenue, sportsInterests } = loaderData;
  const reward = resultOf(actionData, "claim-reward", "");
  return (
    <div className="mx-auto grid max-w-6xl grid-cols-1 gap-8 px-4 pt-6 lg:grid-cols-[3fr_2fr]">
      <div className="grid content-start gap-8">
        <OwnPanel profile={loaderData} result={actionData} />
        <CardPanel card={loaderData.card} />
        <ChallengeCard challenge={challenge} result={reward} />
        <Stats title="My stats" stats={stats} favouriteVenue={favouriteVenue} />
        <Interests sports={sportsInterests} />
      </div>
      <WalletSection profile={loaderData} />
      <KeepDrafts accountId={loaderData.userId} />
    </div>
  );
}

type OwnPanelProps = { profile: OwnProfileView; result: FormResult | undefined };

function OwnPanel({ profile, result }: OwnPanelProps) {
  const settings = (
    <ButtonLink to="/settings" variant="quiet" aria-label="Settings" className="px-2">
      <Gear />
    </ButtonLink>
  );
  return (
    <ProfilePanel profile={profile} age={profile.age} corner={settings}>
      <div className="flex flex-wrap gap-3">
        <EditDialog profile={profile} result={resultOf(result, "edit-profile")} />
        <PictureDialog
          hasPicture={profile.profilePictureUrl !== null}
          result={resultOf(result, "picture", "remove-picture")}
        />
        {/* Phones have no Admin entry in their navigation. */}
        {profile.isAdmin && (
          <ButtonLink to="/admin" className="md:hidden">
            <Shield className="size-5" /> Admin
          </ButtonLink>
        )}
      </div>
    </ProfilePanel>
  );
}

function CardPanel({ card }: { card: CardView }) {
  return (
    <section className="relative grid justify-items-center gap-4 rounded-card bg-surface p-5 shadow-card sm:grid-cols-[15rem_1fr] sm:items-center sm:gap-6">
      <div className="w-full max-w-60">
        <CardThumbnail card={card} />
      </div>
      <div className="grid w-full gap-3">
        <div className="text-center text-balance sm:text-left">
          {card.recent && <p className="text-lg font-bold">{card.recent}</p>}
          <p className="text-muted">Your games on one card, to show to your friends.</p>
        </div>
        <ButtonLink
          to="/profile/player-card"
          wide
          className="static! min-h-13 wide after:absolute after:inset-0"
        >
          MY PLAYER CARD
        </ButtonLink>
      </div>
    </section>
  );
}

type ChallengeCardProps = {
  challenge: OwnProfileView["challenge"];
  result: FormResult | undefined;
};

export function ChallengeCard({ challenge, result }: ChallengeCardProps) {
  const { state, message, resets, progress, done, goal } = challenge;
  const Icon = state === "claimed" ? Check : Star;
  return (
    <section
      aria-labelledby="challenge"
      className="grid gap-4 rounded-card bg-surface p-5 shadow-card"
    >
      <div className="flex items-center gap-3">
        <Icon className={state === "open" ? "text-muted" : "text-good"} />
        <h2 id="challenge" className="text-lg">
          Monthly challenge
        </h2>
      </div>
      <p tabIndex={-1} className="font-semibold outline-none">
        {message}
      </p>
      <Progress label="Games this month" text={progress} value={done} max={goal} />
      <FormErrors result={result} />
      {state === "earned" && (
        <ShortForm
          intent="claim-reward"
          action="/profile"
          submit="Claim 10 Credits!"
          pendingLabel="Claiming…"
        >
          <FormKey />
        </ShortForm>
      )}
      {resets && <p className="text-sm text-muted">{resets}</p>}
    </section>
  );
}

function WalletSection({ profile: { balance, entries } }: { profile: OwnProfileView }) {
  return (
    <section aria-labelledby="wallet-history" className="min-w-0">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div>
          <h2 id="wallet-history" className="text-lg">
            Wallet history
          </h2>
          <p className="text-muted tabular-nums">{balance.inShort}</p>
        </div>
        <ButtonLink to="/wallet">All transactions</ButtonLink>
      </div>
      <WalletHistory entries={entries} />
    </section>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return unknownOutcomeOf(error) ? <ErrorScreen error={error} inPage hasTitle /> : <LoadFailed />;
}

const Gear = icon(
  <>
    <circle cx="12" cy="12" r="3.2" />
    <path d="M10.3 3h3.4l.5 2.6 1.7 1 2.5-.9 1.7 3-2 1.7v2l2 1.7-1.7 3-2.5-.9-1.7 1-.5 2.6h-3.4l-.5-2.6-1.7-1-2.5.9-1.7-3 2-1.7v-2l-2-1.7 1.7-3 2.5.9 1.7-1z" />
  </>,
);
