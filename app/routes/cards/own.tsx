import { redirect } from "react-router";
import {
  findCard,
  findShareToken,
  shareCard,
  stopSharingCard,
} from "#app/features/players/cards.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { ArrowLeft } from "#app/ui/icon.tsx";
import { deletePictures } from "#app/platform/images/drawn-pictures.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { formActions } from "#app/forms/form-action.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/own";
import { CardPitch, UPRIGHT } from "./card-pitch.tsx";
import { type CardView, toCardView } from "./card-view.ts";
import { ShareCard } from "./share-card.tsx";

const PATH = "/profile/player-card";
const STOPPED = { title: "Sharing stopped", description: "The link to your card is gone." };

export async function loader({ context }: Route.LoaderArgs) {
  const { db, env, now } = context.get(appContext);
  const { userId } = context.get(viewerContext);
  const [card, token] = await Promise.all([
    findCard(db, userId, now()),
    findShareToken(db, userId),
  ]);
  if (!card) throw new Error("a player without a profile");
  return { card: toCardView(card), link: token && `${env.appUrl}/card/${token}` };
}

export const action = formActions({
  share: { failed: "Failed to share your card", run: share },
  "stop-sharing": { failed: "Failed to stop sharing your card", run: stopSharing },
});

async function share({ context }: Route.ActionArgs) {
  const { db } = context.get(appContext);
  await shareCard(db, context.get(viewerContext).userId);
  return redirect(PATH);
}

async function stopSharing({ context }: Route.ActionArgs) {
  const { db, env } = context.get(appContext);
  const token = await stopSharingCard(db, context.get(viewerContext).userId);
  if (token) await deletePictures(env.dataDir, token);
  return redirectWithToast(env, PATH, STOPPED);
}

export const meta = metaOf({
  title: "My player card",
  description: "Your player card, to look at and to share.",
});

export default function OwnCard({ loaderData, actionData }: Route.ComponentProps) {
  const { card, link } = loaderData;
  return (
    <div className="mx-auto grid max-w-4xl gap-5 px-4 pt-4">
      <div className="flex items-center gap-1">
        <ButtonLink to="/profile" variant="quiet" aria-label="Back to profile">
          <ArrowLeft />
        </ButtonLink>
        <h1 className="text-xl">My player card</h1>
      </div>
      <FormErrors result={actionData} />
      <div className="grid items-start justify-items-center gap-6 md:grid-cols-2 md:gap-10">
        <PlayerCard card={card} />
        <ShareCard link={link} name={card.name} />
      </div>
    </div>
  );
}

/** The drawing of card-picture.server.tsx, with text as text. */
function PlayerCard({ card }: { card: CardView }) {
  return (
    <article
      aria-label="Player card"
      className="@container relative isolate aspect-[4/5] w-full max-w-md overflow-hidden rounded-card bg-night text-center text-chalk"
    >
      <CardPitch {...UPRIGHT} className="absolute inset-0 -z-10 size-full" />
      <Portrait card={card} />
      <div className="absolute inset-x-[6.5%] top-[55%] uppercase">
        <h2>
          <Line text={card.firstName} sizes={FIRST_SIZES} className="font-medium" />
          <span className="sr-only"> </span>
          <Line text={card.lastName} sizes={LAST_SIZES} className="font-extrabold" />
        </h2>
        {card.position && (
          <p className="mt-[1.4cqw] text-[3.5cqw] leading-tight font-medium tracking-wide text-accent">
            {card.position}
          </p>
        )}
      </div>
      <dl className="absolute inset-x-[11%] bottom-[6.2%] grid grid-cols-3 items-end">
        {card.stats.map(({ label, value }) => (
          <div key={label} className="flex flex-col-reverse">
            <dt className="mt-[1cqw] text-[max(2.8cqw,0.6875rem)] text-chalk/75 uppercase">
              {label}
            </dt>
            <dd className="text-[8.5cqw] leading-none font-extrabold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </article>
  );
}

function Portrait({ card }: { card: CardView }) {
  return (
    <div className="absolute top-[15.63%] left-[28.24%] w-[43.52%]">
      {card.pictureUrl ? (
        <img
          src={card.pictureUrl}
          alt=""
          width="512"
          height="512"
          className="aspect-square size-full rounded-pill object-cover"
        />
      ) : (
        <p
          aria-hidden
          className="grid aspect-square place-items-center rounded-pill text-[17cqw] font-extrabold text-accent"
        >
          {card.initials}
        </p>
      )}
      {card.countryCode && (
        <img
          src={`/flags/${card.countryCode}.svg`}
          alt={card.country ?? ""}
          width="96"
          height="64"
          className="absolute top-[80%] left-[72%] h-auto w-[30%] rounded-[1cqw] border-[0.5cqw] border-chalk"
        />
      )}
    </div>
  );
}

type Sizes = [string, string, string, string];
// By length, so that nearly every name fits on one line.
const LAST_SIZES: Sizes = ["text-[11.5cqw]", "text-[8.6cqw]", "text-[6cqw]", "text-[4.8cqw]"];
const FIRST_SIZES: Sizes = ["text-[6cqw]", "text-[6cqw]", "text-[5.4cqw]", "text-[3.6cqw]"];

function Line({ text, sizes, className }: { text: string; sizes: Sizes; className: string }) {
  const steps = [10, 14, 20].filter((length) => text.length > length).length;
  return (
    <span
      className={`line-clamp-2 block leading-[1.05] wrap-anywhere ${sizes[steps]} ${className}`}
    >
      {text}
    </span>
  );
}
