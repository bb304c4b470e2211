import { SkipLink } from "#app/ui/skip-link.tsx";
import { type ReactNode, useState } from "react";
import { Link, useLocation, useMatches } from "react-router";
import type { Viewer } from "#app/features/accounts/sessions.server.ts";
import { unreadCount, unreadText } from "#app/features/chat/rules.ts";
import { wholeCreditsCount } from "#app/platform/money.ts";
import type { ViewerPlaceholder } from "#app/routes/viewer-placeholders.server.ts";
import { useSite } from "#app/routes/site.ts";
import { signInPath } from "./auth-path.ts";
import { Avatar, initialsOfName, smallPicture } from "#app/ui/avatar.tsx";
import { HistoryBackLink } from "#app/ui/back-link.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { ArrowLeft, Ball, Person, Pin, Shield, Ticket } from "#app/ui/icon.tsx";
import { Unread } from "#app/ui/unread.tsx";
import { NavTab } from "#app/ui/nav-tab.tsx";
import { useNextPath } from "#app/ui/page-change.tsx";
import { FooterLinks } from "./site-links.tsx";

export type NavViewer = ReturnType<typeof toNavViewer>;

interface Marks {
  unread: number;
  toDo: { count: string; text: string } | null;
  own: ViewerPlaceholder;
}

export function toNavViewer(viewer: Viewer, { unread, toDo, own }: Marks) {
  const picture = smallPicture(viewer.profilePictureUrl);
  return {
    toDo: toDo && { count: own("to-do-count", toDo.count), text: own("to-do", toDo.text) },
    unread: unread
      ? { count: own("unread-count", unreadCount(unread)), text: own("unread", unreadText(unread)) }
      : null,
    initials: own("initials", initialsOfName(`${viewer.firstName} ${viewer.lastName}`)),
    isAdmin: viewer.isAdmin,
    credits: own("credits", wholeCreditsCount(viewer.balanceCents)),
    // A path of our own, whatever follows.
    picture: picture && `/${own("picture", picture.slice(1))}`,
  };
}

const ENTRIES = [
  { to: "/events", label: "Games", icon: Ball, page: "routes/games/list/list" },
  { to: "/bookings", label: "My Games", icon: Ticket, page: "routes/bookings/list" },
  { to: "/venues", label: "Venues", icon: Pin, page: "routes/venues/list" },
  { to: "/profile", label: "Profile", icon: Person, page: "routes/profile/show" },
];

/** The entry of the page that is open or on its way; none for another player's profile. */
function useActiveEntry(): string | null {
  const path = useNextPath();
  const isForGame = useMatches().some(({ loaderData }) => isPaid(loaderData));
  if (/^\/profile\/(?!player-card)/.test(path)) return null;
  // What is paid for stands there.
  if (path.endsWith("/chat") || (isForGame && path === "/wallet/paid")) return "/bookings";
  const area = `/${path.split("/")[1]}`;
  return OWN.includes(area) ? "/profile" : area;
}

const OWN = ["/wallet", "/settings"];
const isPaid = (data: unknown) => (data as { isForGame?: true } | null)?.isForGame;

/**
 * Header, page, footer and, on phones, the bottom bar; without a viewer a Sign In button. A game and
 * its chat have a bar of their own there, and a way back at the top.
 */
export function SiteShell({ viewer, children }: { viewer: NavViewer | null; children: ReactNode }) {
  const hasTabs = viewer !== null && !isGamePath(useLocation().pathname);
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink to="#main">Skip to content</SkipLink>
      <DemoBanner />
      <Header viewer={viewer} />
      <main
        id="main"
        tabIndex={-1}
        className={`@container grow pb-12 outline-none has-[>[data-whole]]:flex has-[>[data-whole]]:flex-col has-[>[data-whole]]:pb-0 ${hasTabs ? "max-md:pb-28 max-md:has-[>[data-whole]]:pb-[calc(4rem+env(safe-area-inset-bottom))]" : ""}`}
      >
        {children}
      </main>
      <Footer />
      {hasTabs && <BottomBar viewer={viewer} />}
    </div>
  );
}

function Header({ viewer }: { viewer: NavViewer | null }) {
  const hasBack = isGamePath(useLocation().pathname);
  return (
    <header
      data-bar
      className="@container sticky top-0 z-30 border-b border-line bg-canvas [view-transition-name:site-header] short:static"
    >
      {/* Takes two rows where text is wider, with all that admins have here. */}
      <div
        className={`mx-auto flex min-h-16 max-w-6xl items-center justify-between gap-x-4 px-4 md:flex-wrap large:flex-wrap ${viewer?.isAdmin ? "flex-wrap" : ""}`}
      >
        <div className="flex min-w-0 items-center">
          <BackFromGame />
          <Logo to={viewer ? "/events" : "/"} isNarrow={hasBack || viewer?.isAdmin === true} />
        </div>
        {viewer ? <TopNavigation viewer={viewer} /> : <SignInLink />}
      </div>
    </header>
  );
}

const isGamePath = (pathname: string) => pathname.startsWith("/events/");

/** In reach however far a game's page is scrolled; its chat has its own. */
function BackFromGame() {
  const { pathname } = useLocation();
  if (!isGamePath(pathname) || pathname.endsWith("/chat")) return null;
  const [, , gameId] = pathname.split("/");
  return (
    <HistoryBackLink
      // The same link over a game and the dialog after joining it.
      key={gameId}
      to="/events"
      viewTransition
      className="-ml-3 grid size-11 shrink-0 place-items-center rounded-pill md:hidden"
    >
      <ArrowLeft className="size-5" /> <span className="sr-only">Back</span>
    </HistoryBackLink>
  );
}

/** The main action, unless the page has its own Sign In or is a game's. From there it leads back. */
function SignInLink() {
  const { pathname, search } = useLocation();
  const hasOwn = pathname === "/bookings" || isGamePath(pathname);
  const game = isGamePath(pathname) ? pathname + search : null;
  return (
    <ButtonLink
      to={signInPath(game)}
      variant={hasOwn ? "secondary" : "primary"}
      className="shrink-0"
    >
      Sign In
    </ButtonLink>
  );
}

const unreadAt = (to: string, { unread }: NavViewer) => (to === "/bookings" ? unread : null);

function TopNavigation({ viewer }: { viewer: NavViewer }) {
  const lit = useActiveEntry();
  const adminTab = (more: string) =>
    viewer.isAdmin && (
      <NavTab
        to="/admin"
        isActive={lit === "/admin"}
        aria-description={viewer.toDo?.text}
        className={topTab + more}
      >
        <Shield className="size-5" /> <span className="max-md:sr-only">Admin</span>
        <Unread unread={viewer.toDo} />
      </NavTab>
    );
  return (
    <div className="ml-auto flex flex-wrap items-center justify-end gap-2 max-md:shrink-0">
      <nav aria-label="Main" className="flex flex-wrap items-center gap-1 max-md:hidden">
        {ENTRIES.map(({ to, label, page }) => (
          <NavTab
            key={to}
            to={to}
            page={page}
            isActive={lit === to}
            aria-description={unreadAt(to, viewer)?.text}
            className={topTab}
          >
            {label}
            <Unread unread={unreadAt(to, viewer)} />
          </NavTab>
        ))}
        {adminTab("")}
      </nav>
      {/* The bar at the bottom of phones has four entries for everybody. */}
      {adminTab(" md:hidden")}
      <Link
        to="/wallet"
        className={`flex min-h-11 items-center gap-2 rounded-pill border border-line bg-surface py-1 pr-1 pl-4 text-sm font-semibold whitespace-nowrap tabular-nums hover:border-edge large:px-3 ${viewer.isAdmin ? "max-md:px-3" : "max-[22rem]:px-3"}`}
      >
        {viewer.credits}
        <Avatar
          size="sm"
          src={viewer.picture}
          initials={viewer.initials}
          className={viewer.isAdmin ? "max-md:hidden" : "max-[22rem]:hidden large:hidden"}
        />
      </Link>
    </div>
  );
}

const topTab =
  "flex min-h-11 items-center gap-1.5 px-2 font-semibold whitespace-nowrap text-muted lg:px-3 hover:text-ink " +
  "aria-[current=page]:text-ink aria-[current=page]:[box-shadow:inset_0_-3px_0_var(--accent-edge)]";

function BottomBar({ viewer }: { viewer: NavViewer }) {
  const lit = useActiveEntry();
  return (
    <nav
      aria-label="Main"
      data-bar
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] [view-transition-name:bottom-bar] md:hidden short:static"
    >
      <ul className="grid grid-cols-4">
        {ENTRIES.map(({ to, label, icon: Icon, page }) => (
          <li key={to}>
            <NavTab
              to={to}
              page={page}
              isActive={lit === to}
              aria-description={unreadAt(to, viewer)?.text}
              className="relative grid min-h-16 place-content-center focus-visible:-outline-offset-4 justify-items-center gap-0.5 text-[min(0.875rem,4.2vw)] font-semibold whitespace-nowrap text-muted aria-[current=page]:text-ink aria-[current=page]:[box-shadow:inset_0_3px_0_var(--accent-edge)]"
            >
              <Icon />
              {label}
              <Unread unread={unreadAt(to, viewer)} className="absolute top-1 left-1/2 ml-2" />
            </NavTab>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type LogoProps = { to: string; isNarrow?: boolean; className?: string };

/** `isNarrow`: beside the link to Admin, or Back, phones have no room for the name in wide letters. */
export function Logo({ to, isNarrow = false, className }: LogoProps) {
  const brandName = useSite().brandName;
  const [failed, setFailed] = useState(false);
  // It may have failed before hydration, when no handler was attached.
  const checkLoaded = (image: HTMLImageElement | null) => {
    if (image?.complete && image.naturalWidth === 0) setFailed(true);
  };
  return (
    <Link
      to={to}
      className={classNames(
        "flex min-h-11 min-w-11 items-center gap-2 text-lg font-extrabold tracking-tight",
        className,
      )}
    >
      {failed ? (
        <span
          aria-hidden
          className="grid size-8 place-items-center rounded-card bg-accent text-on-accent"
        >
          {brandName.charAt(0)}
        </span>
      ) : (
        <img
          ref={checkLoaded}
          src="/favicon.svg"
          alt=""
          width="32"
          height="32"
          // React would preload it before the styles and the page's picture.
          fetchPriority="low"
          className="shrink-0"
          onError={() => setFailed(true)}
        />
      )}
      <span translate="no" className={`truncate large:sr-only ${isNarrow ? "max-md:sr-only" : ""}`}>
        {brandName}
      </span>
    </Link>
  );
}

export function Footer() {
  const { companyName } = useSite();
  return (
    <footer className="border-t border-line max-md:hidden">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 px-4 py-4 text-sm text-muted">
        <p className="grow">© 2025 {companyName}</p>
        <FooterLinks />
      </div>
    </footer>
  );
}

export function DemoBanner() {
  if (!useSite().demo) return null;
  return (
    <aside
      aria-label="Demo"
      className="bg-info-soft px-4 py-1.5 text-center text-[min(0.875rem,4.2vw)] text-info"
    >
      Demo: nothing here is real.{" "}
      <a href="/demo/outbox" className="font-semibold underline">
        See its emails
      </a>
    </aside>
  );
}
