import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { PenaltyArea } from "#app/ui/pitch-lines.tsx";
import type { Route } from "./+types/offline";

/** Shown from the browser's cache, where no scripts can be loaded. */
export const handle = { isPlain: true };

export function loader({ context }: Route.LoaderArgs) {
  return { brandName: context.get(appContext).env.brandName };
}

export const meta = metaOf({ title: "You are offline", path: "/offline", noindex: true });

/** Shown at any URL that cannot be loaded (public/sw.js), so it names no page. */
export default function Offline({ loaderData: { brandName } }: Route.ComponentProps) {
  return (
    <main className="relative isolate grid min-h-dvh place-content-center gap-6 overflow-hidden px-4 pt-12 pb-40">
      <PenaltyArea className="-bottom-px left-1/2 w-80 -translate-x-1/2" />
      <p className="text-lg font-extrabold tracking-tight">{brandName}</p>
      <div className="grid max-w-md gap-2">
        <h1 className="text-xl">You are offline</h1>
        <p className="text-muted">This page needs a connection, and there is none right now.</p>
      </div>
      <section aria-labelledby="meanwhile" className="grid max-w-md gap-2">
        <h2 id="meanwhile" className="text-base">
          Meanwhile
        </h2>
        <ul className="grid list-disc gap-1 pl-5">
          <li>Your spots and your credits are safe: nothing changes while you are away.</li>
          <li>The time and place are in your confirmation email.</li>
        </ul>
      </section>
      <a {...SAME} className={buttonClass({ variant: "primary", className: "justify-self-start" })}>
        Try again
      </a>
    </main>
  );
}

// The URL is still that of the requested page.
const SAME = { href: "" };
