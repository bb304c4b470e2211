import { data } from "react-router";
import { findTwoFactor } from "#app/features/accounts/two-factor.server.ts";
import { monthDayYear, helsinkiDate } from "#app/platform/clock.ts";
import { Notice } from "#app/ui/notice.tsx";
import { useHeadingFocus } from "#app/ui/page-change.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { safeRedirectTo } from "#app/routes/safe-redirect.ts";
import type { Route } from "./+types/two-factor";
import { broke } from "./answers.server.ts";
import { SettingsPage } from "./settings-page.tsx";
import { actOnTwoFactor, isTwoFactorIntent } from "./two-factor-actions.server.ts";
import type { TwoFactorAnswer } from "./two-factor-answer.ts";
import { ConfirmForm, ManageForm, RecoveryCodes, StartForm } from "./two-factor-parts.tsx";

export { pageHeaders as headers } from "#app/routes/page-headers.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), {
    title: "Two-factor sign-in",
    path: "/settings/two-factor",
  });

export async function loader({ request, context }: Route.LoaderArgs) {
  const { viewer, factor, isRequired } = await requireUse(context);
  return {
    email: viewer.email,
    factor: factor && {
      since: monthDayYear(helsinkiDate(factor.since)),
      codesLeft: factor.codesLeft,
    },
    isRequired,
    goOnTo: safeRedirectTo(new URL(request.url).searchParams.get("redirectTo")),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { viewer, factor, isRequired } = await requireUse(context);
  const fields = await formFields(request);
  if (!isTwoFactorIntent(fields.intent)) throw data("Bad Request", { status: 400 });
  try {
    const state = { viewer, onSince: factor?.since ?? null, isRequired };
    return await actOnTwoFactor({ request, context, fields }, state);
  } catch (error) {
    return broke(error, "Something went wrong on our side. Please try again.");
  }
}

/** For admins, and for anybody who has it on; for others there is no such page. */
async function requireUse(context: Route.LoaderArgs["context"]) {
  const { db, env } = context.get(appContext);
  const viewer = context.get(viewerContext);
  const factor = await findTwoFactor(db, viewer.userId);
  if (!factor && !viewer.isAdmin) throw data(null, { status: 404 });
  return { viewer, factor, isRequired: viewer.isAdmin && env.adminTwoFactor === "required" };
}

export default function TwoFactor({ loaderData, actionData }: Route.ComponentProps) {
  const { email, factor, isRequired, goOnTo } = loaderData;
  const answer: TwoFactorAnswer | undefined = actionData;
  useHeadingFocus(answer?.setup !== undefined);
  useHeadingFocus(answer?.recoveryCodes !== undefined);
  if (answer?.recoveryCodes) {
    return (
      <SettingsPage
        title="Your recovery codes"
        lead="Two-factor sign-in is on. Each code lets you in once without your phone."
      >
        <RecoveryCodes codes={answer.recoveryCodes} goOnTo={goOnTo ?? "/settings"} />
      </SettingsPage>
    );
  }
  if (answer?.setup) {
    return (
      <SettingsPage
        title="Two-factor sign-in"
        lead="Scan the picture with your authenticator app, then type the code that it shows."
      >
        <ConfirmForm setup={answer.setup} answer={answer} isMove={factor !== null} />
      </SettingsPage>
    );
  }
  return (
    <SettingsPage title="Two-factor sign-in" lead={factor ? ON_LEAD : OFF_LEAD}>
      {factor ? (
        <ManageForm factor={factor} isRequired={isRequired} email={email} answer={answer} />
      ) : (
        <>
          {isRequired && (
            <Notice tone="info" title="Needed for admins">
              The admin pages open once this is set up.
            </Notice>
          )}
          <StartForm email={email} answer={answer} />
        </>
      )}
    </SettingsPage>
  );
}

const ON_LEAD = "We ask for a code when you sign in.";
const OFF_LEAD =
  "When you sign in, we also ask for a 6-digit code from an app on your phone. You need one such as Google Authenticator, Microsoft Authenticator or your password manager.";
