import { data } from "react-router";
import {
  findEmailSwitch,
  readUnsubscribeToken,
  switchEmail,
} from "#app/features/notifications/settings.server.ts";
import { SWITCHES } from "#app/notices.server.ts";
import { formAction, type Posted } from "#app/forms/form-action.server.ts";
import { ShortForm } from "#app/forms/intent-form.tsx";
import { AuthScreen } from "#app/routes/auth/auth-screen.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/unsubscribe";

export { pageHeaders as headers } from "#app/routes/page-headers.ts";

export const meta = metaOf({ title: "Email settings", noindex: true });

export const handle = { isPlain: true };

/** Opening the link changes nothing, since mail scanners open it too. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { env, db } = context.get(appContext);
  const link = readUnsubscribeToken(env.sessionSecret, params.token);
  const setting = link && (await findEmailSwitch(db, link));
  const label = SWITCHES.find(({ kind }) => kind === link?.kind)?.label;
  if (!setting || !label) throw data(null, { status: 404 });
  return { label, isOn: setting.isOn };
}

// Whatever a mail program posts turns them off. It must not be redirected (RFC 8058), so the page
// shows what is stored now.
export const action = formAction(
  { failed: "Nothing was changed", isForAnyone: true },
  async ({ context, params, fields }: Route.ActionArgs & Posted) => {
    const { env, db } = context.get(appContext);
    const link = readUnsubscribeToken(env.sessionSecret, params.token);
    if (!link) throw data(null, { status: 404 });
    await switchEmail(db, link, fields.intent === "switch-on");
    return null;
  },
);

export default function Unsubscribe({ loaderData, actionData }: Route.ComponentProps) {
  const { label, isOn } = loaderData;
  const home = { to: "/", label: "Home" };
  return isOn ? (
    <AuthScreen
      title="Turn these emails off?"
      lead={`“${label}”: you will get no more of these emails. Bookings, refunds and cancelled games are still confirmed by email.`}
      back={home}
      isShort
    >
      <ShortForm intent="switch-off" result={actionData} submit="Turn off" />
    </AuthScreen>
  ) : (
    <AuthScreen
      title="These emails are off"
      lead={`“${label}”: you get no more of these emails.`}
      back={home}
      isShort
    >
      <ShortForm
        intent="switch-on"
        variant="secondary"
        result={actionData}
        submit="Turn on again"
      />
    </AuthScreen>
  );
}
