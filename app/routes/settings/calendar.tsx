import { useNavigation } from "react-router";
import {
  findFeedToken,
  renewFeed,
  turnOffFeed,
  turnOnFeed,
} from "#app/features/bookings/calendar-feeds.server.ts";
import { formActions } from "#app/forms/form-action.server.ts";
import { rejected } from "#app/forms/form-rows.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import type { FormResult } from "#app/forms/form-result.ts";
import { ShortForm } from "#app/forms/intent-form.tsx";
import { PostForm } from "#app/forms/post-form.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { playerRow } from "#app/routes/player-row.server.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { FieldToCopy } from "#app/ui/field-to-copy.tsx";
import type { Route } from "./+types/calendar";
import { SettingsPage } from "./settings-page.tsx";

export const meta = metaOf({ title: "Calendar", path: "/settings/calendar" });

export async function loader({ context }: Route.LoaderArgs) {
  const { db, env } = context.get(appContext);
  const token = await findFeedToken(db, context.get(viewerContext).userId);
  const https = `${env.appUrl}/calendar/${token}.ics`;
  return { addresses: token === null ? null : addressesOf(https, env.brandName) };
}

/** The address, and links that open it in common calendars. */
function addressesOf(https: string, brandName: string) {
  const webcal = https.replace(/^https?:/, "webcal:");
  const outlook = new URLSearchParams({ url: https, name: brandName });
  return {
    https,
    webcal,
    google: `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcal)}`,
    outlook: `https://outlook.live.com/calendar/0/addfromweb?${outlook}`,
  };
}

export const action = formActions({
  "turn-on": playerRow({
    failed: "Failed to turn on your calendar",
    run: ({ db, viewer }) => turnOnFeed(db, viewer.userId),
    errors: {},
    done: {},
  }),
  renew: playerRow({
    failed: "Failed to renew the address",
    isRepeatUnsafe: true,
    run: async ({ db, viewer, now }) =>
      (await renewFeed(db, viewer.userId, now())) || rejected("off"),
    errors: { off: "Your calendar is turned off. Create a new address." },
    done: { title: "Address renewed", description: "The old one no longer works." },
  }),
  "turn-off": playerRow({
    failed: "Failed to turn off your calendar",
    run: ({ db, viewer }) => turnOffFeed(db, viewer.userId),
    errors: {},
    done: { title: "Calendar turned off" },
  }),
});

export default function CalendarSettings({ loaderData, actionData }: Route.ComponentProps) {
  const { addresses } = loaderData;
  return (
    <SettingsPage
      title="Calendar"
      lead="Your games appear in your own calendar by themselves, with every change and cancellation."
    >
      <section aria-label="Your calendar" tabIndex={-1} className="grid gap-6 outline-none">
        {addresses ? (
          <Feed addresses={addresses} result={actionData} />
        ) : (
          <ShortForm
            intent="turn-on"
            result={actionData}
            submit="Create my calendar address"
            pendingLabel="Creating…"
          >
            <p className="text-muted">
              You get a secret address. Anybody who has it can read when and where you play, and
              what the organiser writes to the players, but not who else plays.
            </p>
          </ShortForm>
        )}
      </section>
    </SettingsPage>
  );
}

type Addresses = ReturnType<typeof addressesOf>;

function Feed({ addresses, result }: { addresses: Addresses; result: FormResult | undefined }) {
  const { https, webcal, google, outlook } = addresses;
  return (
    <>
      <ul className="divide-y divide-line rounded-card bg-surface px-4 shadow-card">
        <Choice name="Apple Calendar" href={webcal}>
          On this iPhone, iPad or Mac.
        </Choice>
        <Choice name="Google Calendar" href={google}>
          Android too. Google looks for changes once or twice a day.
        </Choice>
        <Choice name="Outlook" href={outlook}>
          Outlook.com and its apps.
        </Choice>
        <li className="grid gap-2 py-4">
          <FieldToCopy label="Your secret address" value={https} noun="address" />
          <p className="text-sm text-muted">
            For any other calendar: choose "subscribe" or "from URL" there, and paste the address.
          </p>
        </li>
      </ul>
      <Manage result={result} />
    </>
  );
}

function Choice({ name, href, children }: { name: string; href: string; children: string }) {
  return (
    <li className="flex items-center justify-between gap-4 py-4">
      <p>
        <span className="block font-bold">{name}</span>
        <span className="text-sm text-muted">{children}</span>
      </p>
      <a
        href={href}
        rel="noreferrer"
        aria-label={`Add to ${name}`}
        className={buttonClass({ className: "shrink-0" })}
      >
        Add
      </a>
    </li>
  );
}

function Manage({ result }: { result: FormResult | undefined }) {
  const { formData } = useNavigation();
  const pending = (intent: string) => formData?.get("intent") === intent;
  return (
    <PostForm className="grid gap-3">
      <FormErrors result={result} />
      <p className="text-muted">
        Did somebody else get the address? Renew it, and add the new one to your calendar.
      </p>
      <div className="grid grid-cols-2 gap-3">
        <Button name="intent" value="renew" pending={pending("renew")}>
          Renew address
        </Button>
        <Button name="intent" value="turn-off" pending={pending("turn-off")}>
          Turn off
        </Button>
      </div>
    </PostForm>
  );
}
