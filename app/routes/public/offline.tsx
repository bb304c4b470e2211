import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { External } from "#app/ui/icon.tsx";
import { PenaltyArea } from "#app/ui/pitch-lines.tsx";
import type { Route } from "./+types/offline";
import offlineTickets from "./offline-tickets.js?url";

/** Shown from the browser's cache, where scripts of pages cannot be loaded. */
export const handle = { isPlain: true };

export function loader({ context }: Route.LoaderArgs) {
  return { brandName: context.get(appContext).env.brandName };
}

export const meta = metaOf({ title: "You are offline", path: "/offline", noindex: true });

/** Shown at any URL that cannot be loaded (public/sw.js), so it names no page. */
export default function Offline({ loaderData: { brandName } }: Route.ComponentProps) {
  return (
    <main className="relative isolate grid min-h-dvh grid-cols-[minmax(0,28rem)] has-[#tickets:not([hidden])]:grid-cols-[minmax(0,36rem)] place-content-center gap-6 overflow-hidden px-4 pt-12 pb-40">
      <PenaltyArea className="-bottom-px left-1/2 w-80 -translate-x-1/2" />
      <p translate="no" className="text-lg font-extrabold tracking-tight">
        {brandName}
      </p>
      <div className="grid gap-2">
        <h1 className="text-xl">You are offline</h1>
        <p className="text-muted">This page needs a connection, and there is none right now.</p>
      </div>
      <SavedTickets />
      <section aria-labelledby="meanwhile" className="grid gap-2">
        <h2 id="meanwhile" className="text-base">
          Meanwhile
        </h2>
        <ul className="grid list-disc gap-1 pl-5">
          <li id="check-ins" hidden>
            <strong /> on this phone not sent yet: kept, and sent once you open Admin with a
            connection.
          </li>
          <li id="safe">
            Your spots and your credits are safe: nothing changes while you are away.
          </li>
          <li id="elsewhere">The time and place are in your confirmation email.</li>
        </ul>
      </section>
      <a {...SAME} className={buttonClass({ variant: "primary", className: "justify-self-start" })}>
        Try again
      </a>
      <script src={offlineTickets} defer />
    </main>
  );
}

// The URL is still that of the requested page; a ticket's directions are filled in.
const SAME = { href: "" };

/** Filled by offline-tickets.js from what My Games has saved in this browser. */
function SavedTickets() {
  return (
    <section id="tickets" hidden aria-labelledby="your-tickets" className="grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="your-tickets" className="wide text-base font-extrabold">
          Next games
        </h2>
        <p data-saved className="text-sm text-muted">
          Saved{" "}
        </p>
      </div>
      <ul className="grid gap-4" />
      <template id="ticket">
        <li className="grid gap-4 overflow-hidden rounded-card bg-surface p-4 shadow-card sm:grid-cols-[1fr_auto]">
          <div className="grid content-start gap-1">
            <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
              <span data-text="weekday" className="wide font-extrabold" />
              <span data-text="monthDay" className="text-muted" />
            </p>
            <p className="text-xl font-bold tabular-nums">
              <span data-text="start" /> – <span data-text="end" />
            </p>
            <h3 className="text-lg">
              <span data-text="venueName" />
            </h3>
            <p data-text="place" className="text-muted" />
            <p data-if="terms" data-text="terms" className="mt-2 text-sm text-muted" />
            <div data-if="notes" className="mt-2">
              <h4 className="text-sm font-semibold">From the organiser</h4>
              <p data-text="notes" className="whitespace-pre-line" />
            </div>
          </div>
          <div data-if="mapsUrl" className="ticket-stub flex items-center sm:items-start">
            <a {...SAME} rel="noreferrer" target="_blank" className={buttonClass({})}>
              Directions <External className="size-4" />
            </a>
          </div>
        </li>
      </template>
    </section>
  );
}
