import type { ReactNode } from "react";
import { Link } from "react-router";
import { listActivePartners } from "#app/features/partners/partners.server.ts";
import { webAddress } from "#app/platform/web-address.ts";
import { log } from "#app/platform/log.server.ts";
import { type App, appContext } from "#app/routes/context.server.ts";
import { redirectIfSignedIn } from "#app/routes/guards.server.ts";
import { DemoBanner, Footer, Logo } from "#app/routes/site-shell.tsx";
import { SkipLink } from "#app/ui/skip-link.tsx";
import { SiteLinks } from "#app/routes/site-links.tsx";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { organization } from "#app/routes/structured-data.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Ball, Person, Pin } from "#app/ui/icon.tsx";
import { ownPath, Picture } from "#app/ui/picture.tsx";
import { CentreCircle, CornerArc } from "#app/ui/pitch-lines.tsx";
import type { Route } from "./+types/landing";
import { type PartnerLogo, Partners } from "./landing-partners.tsx";
import { BeyondTheChat, Weeks } from "./landing-texts.tsx";
import { loadNextGames, type NextGamesView } from "./next-games.server.ts";
import { GAME_COSTS } from "#app/features/games/price.ts";
import { GameCard } from "#app/routes/game-card/game-card.tsx";

export const handle = { isPlain: true };

export async function loader({ context }: Route.LoaderArgs) {
  await redirectIfSignedIn(context);
  const app = context.get(appContext);
  const [partners, next] = await Promise.all([loadPartners(app), loadNextGames(app)]);
  return { partners, next };
}

/** Partners that cannot be read are left out. */
async function loadPartners({ db }: App): Promise<PartnerLogo[]> {
  try {
    const partners = await listActivePartners(db);
    return partners
      .map(({ id, name, logoUrl, websiteUrl }) => ({
        ...{ id, name: name || "Partner" },
        ...{ logoUrl: ownPath(logoUrl), website: webAddress(websiteUrl) },
      }))
      .filter(hasLogo);
  } catch (error) {
    log.error({ err: error }, "loading the partners");
    return [];
  }
}

const hasLogo = <Partner extends { logoUrl: string | null }>(
  partner: Partner,
): partner is Partner & { logoUrl: string } => partner.logoUrl !== null;

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const site = siteOf(matches);
  const when = loaderData?.next.when ?? "on campus";
  const tags = pageMeta(site, {
    title: "Pick-up football on campus",
    description: `Find a pick-up game near campus, join it with credits and play ${when}.`,
    path: "/",
  });
  return site ? [...tags, { "script:ld+json": organization(site) }] : tags;
};

export default function Landing({ loaderData: { next, partners } }: Route.ComponentProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink to="#main">Skip to content</SkipLink>
      <DemoBanner />
      <header className="mx-auto flex w-full max-w-6xl items-center justify-between px-4 py-2">
        <Logo to="/" />
        <ButtonLink to="/auth">Sign In</ButtonLink>
      </header>
      <main id="main" tabIndex={-1} className="grow outline-none">
        <Hero when={next.when} />
        <NextGames {...next} />
        <BeyondTheChat />
        <Features />
        <Partners partners={partners} />
        <Weeks />
        <FinalCall />
        <SiteLinks className="px-4 pb-6 md:hidden" />
      </main>
      <Footer />
    </div>
  );
}

function Hero({ when }: { when: string }) {
  return (
    <section className="relative isolate overflow-hidden bg-night text-chalk">
      <Picture
        src="/photos/toolo-cage-1-800.webp"
        alt=""
        priority
        className="absolute inset-0 -z-20 size-full object-cover opacity-50"
      />
      <CentreCircle className="top-1/2 -right-24 size-120 -translate-y-1/2 text-chalk/30 max-lg:hidden" />
      <div className="mx-auto grid max-w-6xl gap-5 px-4 py-12 md:py-28">
        <h1 className="max-w-xl text-2xl md:text-[3.5rem] md:leading-none">
          <span className="block">{`Play ${when}.`}</span> The pitch is booked.
        </h1>
        <p className="max-w-md text-lg text-chalk/85">
          Pick-up football for students in Helsinki, Espoo and Vantaa. Find a game, take a spot,
          turn up.
        </p>
        <p className="flex flex-wrap gap-3">
          <ButtonLink to="/auth?tab=sign-up" variant="primary" size="lg">
            Sign up
          </ButtonLink>
          <ButtonLink to="/auth" size="lg">
            Sign in
          </ButtonLink>
        </p>
      </div>
    </section>
  );
}

function Features() {
  return (
    <section className="mx-auto grid max-w-6xl gap-4 px-4 py-12 md:grid-cols-3">
      <Feature icon={<Ball />} title="Browse Campus Events">
        Games on most days of the week. See when, where and how many spots are left.
      </Feature>
      <Feature icon={<Person />} title="Student Community">
        Everyone signs up with a school email, so you always play with students.
      </Feature>
      <Feature icon={<Pin />} title="Campus Focus">
        Halls, cages and winter pitches you can reach between lectures.
        <Link to="/venues" className="link flex min-h-11 w-fit items-center">
          See the venues
        </Link>
      </Feature>
    </section>
  );
}

type FeatureProps = { icon: ReactNode; title: string; children: ReactNode };

function Feature({ icon, title, children }: FeatureProps) {
  return (
    <article className="grid content-start gap-2 rounded-card bg-surface p-5 shadow-card">
      {icon}
      <h2 className="text-lg">{title}</h2>
      <div className="text-muted">{children}</div>
    </article>
  );
}

function FinalCall() {
  return (
    <section className="mx-auto max-w-6xl px-4 pt-8 pb-16">
      <div className="relative isolate grid justify-items-start gap-4 overflow-hidden rounded-card bg-surface p-8 shadow-card">
        <CornerArc className="-right-1 -bottom-1 size-48 -scale-x-100" />
        <h2 className="text-xl">Join Your Campus Today</h2>
        <ButtonLink to="/auth?tab=sign-up" variant="primary" size="lg">
          Sign up
        </ButtonLink>
      </div>
    </section>
  );
}

/** What is on, before signing up; nothing without games. */
function NextGames({ games, free }: NextGamesView) {
  if (games.length === 0) return null;
  return (
    <section aria-labelledby="next-games" className="mx-auto max-w-6xl px-4 pt-8">
      <h2 id="next-games" className="text-xl">
        Next games
      </h2>
      <p className="mt-1 text-muted">{GAME_COSTS}</p>
      {free && (
        <p>
          <Link
            to={`/events/${free.gameId}`}
            className="link inline-flex min-h-11 items-center font-semibold"
          >
            {free.text}
          </Link>
        </p>
      )}
      <ul className="mt-3 grid gap-4 lg:grid-cols-3">
        {games.map((game) => (
          <li key={game.id} className="grid grid-rows-[auto_1fr] gap-1.5">
            <p className="flex items-baseline gap-2 text-sm">
              <span className="wide font-extrabold">{game.weekday}</span>
              <time dateTime={game.date} className="text-muted">
                {game.day}
              </time>
            </p>
            <GameCard game={game} />
          </li>
        ))}
      </ul>
    </section>
  );
}
