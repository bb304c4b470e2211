import { data, redirect, redirectDocument } from "react-router";
import { listActivePacks } from "#app/features/wallet/packs.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { pageHeaders } from "#app/routes/page-headers.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/checkout";
import { BankAnswer } from "./bank-answer.tsx";
import { PayForm } from "./pay-form.tsx";
import * as events from "./purchase-events.ts";
import { saleWords } from "./sale-words.ts";
import { isEmail, linkTo, readLink, readSession } from "./sandbox-link.ts";
import { SandboxScreen } from "./sandbox-screen.tsx";
import { requireSandbox, sendEvents } from "./sandbox.server.ts";
import { stripeId } from "./stripe-objects.ts";

export const headers = pageHeaders;

/** Where Stripe's payment page is in production: in the demo, one that takes no money. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { db } = requireSandbox(context);
  const pack = saleWords(await requirePack(db, params.packKey));
  const { reference, email, sessionId, isRefused } = readLink(request);
  const bank = sessionId && !pack.isMonthly ? (isRefused ? "refused" : "awaited") : null;
  const fresh = { reference, email, sessionId: null, isRefused: false };
  return {
    pack,
    email,
    hasPlayer: reference !== null,
    bank: bank as "refused" | "awaited" | null,
    // Made with the page, so that a page that is sent twice is one payment.
    sessionId: sessionId ?? stripeId("cs_test"),
    again: linkTo(params.packKey, fresh),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const { db, now } = requireSandbox(context);
  const pack = await requirePack(db, params.packKey);
  const link = readLink(request);
  const fields = await formFields(request);
  const { intent = "", email = link.email } = fields;
  const deed = (pack.isMonthly ? MONTHLY_DEEDS : SINGLE_DEEDS).get(intent);
  const isBanks = intent.startsWith("bank-");
  const sessionId = readSession(fields.sessionId) ?? (isBanks ? null : stripeId("cs_test"));
  if (!deed || !sessionId) return problem("This cannot be done here.", 400);
  if (!isBanks && !isEmail(email)) return problem("Please enter a valid email address.", 422);
  if (deed === "decline") return problem("Your card was declined. Nothing was paid.", 402);
  const { reference } = link;
  await sendEvents(context, deed({ sessionId, pack, reference, email, at: now() }));
  const isRefused = intent === "bank-refuses";
  if (isRefused || intent === "pay-later") {
    return redirect(linkTo(params.packKey, { reference, email, sessionId, isRefused }), 303);
  }
  return redirectDocument(`/wallet/paid?session_id=${sessionId}`, 303);
}

type Deed = typeof events.paid | "decline";

const MONTHLY_DEEDS = new Map<string, Deed>([
  ["subscribe", events.subscribed],
  ["decline", "decline"],
]);
const SINGLE_DEEDS = new Map<string, Deed>([
  ["pay", events.paid],
  ["pay-later", events.ordered],
  ["bank-confirms", events.bankConfirmed],
  ["bank-refuses", events.bankRefused],
  ["decline", "decline"],
]);

/** Only what is on sale: Stripe closes the links of others. */
async function requirePack(db: Db, packKey: string) {
  const pack = (await listActivePacks(db)).find(({ key }) => key === packKey);
  if (!pack) throw data("Not found", { status: 404 });
  return pack;
}

function problem(message: string, status: number) {
  return data({ problem: message }, status);
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Sandbox checkout", noindex: true });

export default function SandboxCheckout({ loaderData, actionData }: Route.ComponentProps) {
  const { pack, email, hasPlayer, bank, sessionId, again } = loaderData;
  return (
    <SandboxScreen title={pack.name} name="Sandbox checkout">
      <div className="grid items-start gap-6 md:grid-cols-2 md:gap-12">
        <section aria-label="What you pay for" className="grid gap-1">
          <p className="text-2xl font-extrabold tabular-nums">{pack.price}</p>
          <p className="text-muted">{pack.terms}</p>
          <p className="mt-3 font-semibold">{pack.credits}</p>
          <p className="text-muted">{pack.renewal}</p>
        </section>
        {bank ? (
          <BankAnswer
            bank={bank}
            sessionId={sessionId}
            again={again}
            problem={actionData?.problem}
          />
        ) : (
          <PayForm {...{ pack, email, hasPlayer, sessionId }} problem={actionData?.problem} />
        )}
      </div>
    </SandboxScreen>
  );
}
