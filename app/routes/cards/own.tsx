import {
  findCard,
  findShareToken,
  shareCard,
  stopSharingCard,
} from "#app/features/players/cards.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { deletePictures } from "#app/platform/images/drawn-pictures.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { formActions } from "#app/forms/form-action.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { viewerContext } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { playerRow } from "#app/routes/player-row.server.ts";
import type { Route } from "./+types/own";
import { toCardView } from "./card-view.ts";
import { PlayerCard } from "./player-card.tsx";
import { ShareCard } from "./share-card.tsx";

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
  share: playerRow({
    failed: "Failed to share your card",
    run: ({ db, viewer }) => shareCard(db, viewer.userId),
    errors: {},
    done: {},
  }),
  "stop-sharing": playerRow({
    failed: "Failed to stop sharing your card",
    run: async ({ db, env, viewer }) => {
      const token = await stopSharingCard(db, viewer.userId);
      if (token) await deletePictures(env.dataDir, token);
    },
    errors: {},
    done: { title: "Sharing stopped", description: "The link to your card is gone." },
  }),
});

export const meta = metaOf({
  title: "My player card",
  description: "Your player card, to look at and to share.",
});

export default function OwnCard({ loaderData, actionData }: Route.ComponentProps) {
  const { card, link } = loaderData;
  return (
    <div className="mx-auto grid max-w-4xl gap-3 px-4 pt-2">
      <div className="flex items-center justify-between gap-4">
        <BackLink to="/profile">Profile</BackLink>
        <h1 className="text-lg">My player card</h1>
      </div>
      <FormErrors result={actionData} />
      <div className="grid items-start justify-items-center gap-4 md:grid-cols-2 md:items-center md:gap-10">
        <div className={cardClass}>
          <PlayerCard card={card} />
        </div>
        <ShareCard link={link} name={card.name} />
      </div>
    </div>
  );
}

// On a phone as large as the Share button allows, which stays in view between the bars.
const cardClass = "w-full max-w-[min(28rem,max(15rem,calc((100svh-20rem)*0.8)))] md:max-w-md";
