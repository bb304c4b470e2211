import { data, redirect, redirectDocument } from "react-router";
import { findActivePack } from "#app/features/wallet/packs.server.ts";
import { checkoutUrl } from "#app/features/wallet/rules.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { WholePage } from "#app/ui/empty-state.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { PROCESS_FAILED } from "#app/forms/messages.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { requirePlayer } from "#app/routes/guards.server.ts";
import { logFailure } from "#app/forms/log-failure.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { safeRedirectTo } from "#app/routes/safe-redirect.ts";
import type { Route } from "./+types/checkout";
import { returnCookie } from "./return-cookie.server.ts";

const WALLET = "/wallet";

// Before the loaders, which cannot tell that a form was posted: its answer is always seen.
export const middleware: Route.MiddlewareFunction[] = [
  ({ request }) => {
    if (request.method !== "POST") throw redirect(WALLET);
  },
];

/** Sends the browser to the pack's payment link, with the player in it. */
export async function action({ request, context }: Route.ActionArgs) {
  const { db, env } = context.get(appContext);
  const { userId, email } = await requirePlayer(context, request, { to: "/auth" });
  const fields = await formFields(request);
  const returnTo = safeRedirectTo(fields.returnTo) ?? WALLET;
  const asked = findActivePack(db, fields.packId).then((pack) => ({ pack }));
  const found = await asked.catch(logFailure("finding a pack"));
  if (!found) return data({ ...PROCESS_FAILED, returnTo }, 500);
  const { pack } = found;
  if (!pack) return data({ ...PROCESS_FAILED, returnTo }, 404);
  const prefix = env.paymentLinkPrefix;
  const url = checkoutUrl({ link: pack.checkoutLink, prefix, userId, email });
  if (!url) return data({ ...NO_PAYMENT_LINK, returnTo }, 409);
  const cookie = await returnCookie(env, returnTo);
  return redirectDocument(url, { status: 303, headers: { "Set-Cookie": cookie } });
}

const NO_PAYMENT_LINK = {
  title: "Setup Required",
  description: "Payment link is not configured yet. Please contact support.",
};

/** In the browser no failure, nor a lost connection, takes the page and its dialog away. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (thrown) {
    if (thrown instanceof Response) throw thrown;
    // The status keeps the router from loading the page anew, which would fail as well.
    return data({ ...PROCESS_FAILED, returnTo: WALLET }, 503);
  }
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Checkout", noindex: true });

/** What the dialog says by itself, for browsers without JavaScript. */
export default function Checkout({ actionData }: Route.ComponentProps) {
  const { title, description, returnTo } = actionData ?? { ...PROCESS_FAILED, returnTo: WALLET };
  return (
    <WholePage
      title={title}
      action={
        <ButtonLink to={returnTo} variant="primary" size="lg">
          Go back
        </ButtonLink>
      }
    >
      {description}
    </WholePage>
  );
}
