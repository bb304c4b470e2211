import { data } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { getViewer } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { UnbrokenText } from "#app/ui/unbroken-text.tsx";
import { Missing } from "#app/routes/error-screens.tsx";
import { pictureKey } from "#app/platform/images/drawn-pictures.server.ts";
import type { Route } from "./+types/shared";
import { cardPicture, loadSharedCard } from "./card-picture.server.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const facts = await loadSharedCard(app, params.token);
  if (!facts) return data(null, { status: 404 });
  const path = `/card/${params.token}`;
  const { name, firstName, alt } = facts.view;
  return data({
    path,
    name,
    firstName,
    alt,
    picture: `${path}.png?v=${pictureKey(cardPicture(facts))}`,
    socialPicture: `${path}/social.png?v=${pictureKey(cardPicture(facts, "social-card"))}`,
    isSignedIn: (await getViewer(context)) !== null,
  });
}

export const meta: Route.MetaFunction = ({ loaderData: card, matches }) => {
  if (!card) return pageMeta(siteOf(matches), { title: "Card not found", noindex: true });
  return pageMeta(siteOf(matches), {
    title: `${card.name}, player card`,
    description: card.alt,
    path: card.path,
    image: { path: card.socialPicture, width: 1200, height: 630, alt: card.alt },
    noindex: true,
  });
};

export default function SharedCard({ loaderData: card }: Route.ComponentProps) {
  if (!card) {
    return (
      <Missing title="Card not found" back={{ to: "/", label: "Return to Home" }}>
        This card is not shared, or no longer.
      </Missing>
    );
  }
  return (
    <div className="mx-auto grid max-w-4xl items-center justify-items-center gap-8 px-4 pt-6 md:grid-cols-[3fr_2fr] md:gap-12 md:pt-10">
      <img
        src={card.picture}
        alt={card.alt}
        width="1080"
        height="1350"
        fetchPriority="high"
        className="h-auto w-full max-w-md rounded-card"
      />
      <div className="grid justify-items-start gap-4 self-center">
        <h1 translate="no" className="text-xl">
          <UnbrokenText text={card.name} />
        </h1>
        <p className="text-lg text-muted">
          Pick-up football on campus. Find a game, take a spot and play with {card.firstName}.
        </p>
        <ButtonLink
          to={card.isSignedIn ? "/events" : "/auth?tab=sign-up"}
          variant="primary"
          size="lg"
        >
          {card.isSignedIn ? "See the games" : "Sign up"}
        </ButtonLink>
      </div>
    </div>
  );
}
