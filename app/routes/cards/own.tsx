import { data, redirect } from "react-router";
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
import { toastCookie } from "#app/forms/toast.server.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/own";
import { cardWords } from "./card-words.ts";
import { PlayerCard } from "./player-card.tsx";
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
  return { card: cardWords(card), link: token && `${env.appUrl}/card/${token}` };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, env } = context.get(appContext);
  const { userId } = context.get(viewerContext);
  const { intent } = await formFields(request);
  if (intent === "share") {
    await shareCard(db, userId);
    return redirect(PATH);
  }
  if (intent !== "stop-sharing") return data(null, { status: 400 });
  const token = await stopSharingCard(db, userId);
  if (token) await deletePictures(env.dataDir, token);
  return redirect(PATH, { headers: { "Set-Cookie": await toastCookie(env, STOPPED) } });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), {
    title: "My player card",
    description: "Your player card, to look at and to share.",
  });

export default function OwnCard({ loaderData }: Route.ComponentProps) {
  const { card, link } = loaderData;
  return (
    <div className="mx-auto grid max-w-4xl gap-5 px-4 pt-4">
      <div className="flex items-center gap-1">
        <ButtonLink to="/profile" variant="quiet" aria-label="Back to profile">
          <ArrowLeft />
        </ButtonLink>
        <h1 className="text-xl">My player card</h1>
      </div>
      <div className="grid items-start justify-items-center gap-6 md:grid-cols-2 md:gap-10">
        <PlayerCard card={card} />
        <ShareCard link={link} name={card.name} />
      </div>
    </div>
  );
}
