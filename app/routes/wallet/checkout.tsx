import { data, redirect, redirectDocument } from "react-router";
import { gameIdAt } from "#app/features/accounts/rules.ts";
import type { Viewer } from "#app/features/accounts/sessions.server.ts";
import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { beginCheckout } from "#app/features/wallet/stripe/begin-checkout.server.ts";
import { readAmount } from "#app/features/wallet/rules.ts";
import { readShown } from "#app/platform/as-shown.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { WholePage } from "#app/ui/empty-state.tsx";
import { PostForm } from "#app/forms/post-form.tsx";
import { formAction } from "#app/forms/form-action.server.ts";
import { rejected } from "#app/forms/form-rows.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { PROCESS_FAILED } from "#app/forms/messages.ts";
import { holdForCheckout } from "./hold-for-checkout.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { signedInOnly } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { playerRows } from "#app/routes/player-row.server.ts";
import { safeRedirectTo } from "#app/routes/safe-redirect.ts";
import type { Route } from "./+types/checkout";
import { ManageSubscription } from "#app/routes/credits/manage-subscription.tsx";
import { PlanDialog } from "#app/routes/credits/plan-dialog.tsx";
import { type FailedCheckout, openPlans, returnCookie } from "#app/routes/credits/plans.server.ts";
import { secondPaymentTexts } from "#app/routes/credits/under-way.server.ts";

const WALLET = "/wallet";

// Not in the loader, which would redirect away from the result of a posted form.
export const middleware: Route.MiddlewareFunction[] = [
  ({ request }) => {
    if (request.method !== "POST") throw redirect(WALLET);
  },
  signedInOnly(),
];

const CHOOSE = "Choose a plan first";

const returnOf = (fields: Record<string, string>) => safeRedirectTo(fields["returnTo"]) ?? WALLET;

/** Of the questions that were answered with yes: a second payment, and another game at that hour. */
const keysIn = (fields: Record<string, string>) =>
  (fields["confirmed"] ?? "").split(" ") as [string, string?];

type Sent = Pick<App, "db" | "env" | "now"> & { viewer: Viewer; fields: Record<string, string> };

/** The dialog again, as its page had opened it. */
function plansAgain({ viewer, fields, ...app }: Sent) {
  const returnTo = returnOf(fields);
  const priceCents = gameIdAt(returnTo) ? GAME_PRICE_CENTS : 0;
  return openPlans(app, viewer, { returnTo, priceCents });
}

const { title: failed, description: formError } = PROCESS_FAILED;

/** Redirects to the pack's payment link with the player's id. */
export const action = formAction(
  playerRows<FailedCheckout>()({
    ...{ failed, formError, keep: ["returnTo"] },
    run: async ({ viewer: { userId, email }, formKey, fields, ...app }) => {
      const { packId, shown } = fields;
      if (!packId) return rejected("no-pack");
      const [confirmed, overlap] = keysIn(fields);
      const payer = { userId, email, prefix: app.env.paymentLinkPrefix };
      const amountCents = readAmount(fields.amount);
      const begun = await beginCheckout(app.db, {
        ...{ ...payer, packId, amountCents },
        ...{ shown: readShown(shown), confirmed, now: app.now() },
      });
      if (!begun.ok) return begun;
      const form = {
        playerId: userId,
        formKey,
        returnTo: returnOf(fields),
        shown,
        overlap,
        packId,
      };
      const held = await holdForCheckout(app, form);
      return held.ok ? begun : held;
    },
    errors: {
      "no-pack": async (_, sent) => {
        const plans = await plansAgain(sent);
        return ["invalid", { title: CHOOSE, fieldErrors: { packId: `${CHOOSE}.` }, plans }];
      },
      "unknown-pack": ["missing", formError],
      "no-link": {
        title: "Setup Required",
        formError: "Payment link is not configured yet. Please contact support.",
      },
      "plays-meanwhile": ({ why, key }, { fields: values }) => ({
        ...{ title: "Two games at once?", formError: why, values },
        confirms: `${keysIn(values)[0]} ${key}`,
      }),
      "no-spot": async ({ why }, sent) => {
        const plans = await plansAgain(sent);
        const alone = "failure" in plans ? plans : { ...plans, formKey: null };
        return { title: "No spot was held", formError: why, buysCreditsAlone: true, plans: alone };
      },
      changed: async ({ newFacts }, sent) => {
        const plans = await plansAgain(sent);
        const offer = "failure" in plans ? {} : { offer: plans };
        return { formError: `${newFacts} Nothing was bought: look again.`, ...offer };
      },
      "has-plan": ({ plan: { id, packName } }) => ({
        title: "You already have a monthly plan",
        formError: `${packName ?? "Your plan"} is running, so nothing was bought. To change it, use Manage subscription.`,
        subscriptionId: id,
      }),
      "pays-already": ({ payments, key }, { fields: values }) => ({
        ...{ ...secondPaymentTexts(payments), confirms: key, values },
      }),
    },
    done: async ({ url }, { env, fields }) => {
      const cookie = await returnCookie(env, returnOf(fields));
      return redirectDocument(url, { status: 303, headers: { "Set-Cookie": cookie } });
    },
  }),
);

/** In the browser, errors keep the page and its dialog. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (thrown) {
    if (thrown instanceof Response) throw thrown;
    // The router does not reload the page with this status, which would fail too.
    return data<FormResult>({ title: failed, formError }, 503);
  }
}

export const meta = metaOf({ title: "Checkout", noindex: true });

/** The dialog's content, for browsers without JavaScript. */
export default function Checkout({ actionData }: Route.ComponentProps) {
  const result: FailedCheckout = actionData ?? { title: failed, formError };
  const { subscriptionId, confirms } = result;
  const returnTo = returnOf(result.values ?? {});
  if (result.plans) return <PlanDialog plans={result.plans} result={result} />;
  return (
    <WholePage
      title={result.title}
      action={
        <div className="grid gap-3">
          {subscriptionId && <ManageSubscription subscriptionId={subscriptionId} />}
          {confirms && <PayAnyway values={result.values} confirms={confirms} />}
          <ButtonLink
            to={returnTo}
            variant={subscriptionId || confirms ? "quiet" : "primary"}
            size="lg"
          >
            Go back
          </ButtonLink>
        </div>
      }
    >
      {result.formError}
    </WholePage>
  );
}

type PayAnywayProps = { values: FormResult["values"]; confirms: string };

/** The same form again, with the key of what was asked about. */
function PayAnyway({ values, confirms }: PayAnywayProps) {
  const fields = Object.entries({ ...values, confirmed: confirms });
  return (
    <PostForm>
      {fields
        .filter(([name]) => name !== "account")
        .map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      <Button variant="primary" size="lg" wide>
        Pay anyway
      </Button>
    </PostForm>
  );
}
