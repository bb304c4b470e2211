import { hasDevice } from "#app/features/notifications/devices.server.ts";
import { findSettings, saveSettings } from "#app/features/notifications/settings.server.ts";
import { formActions } from "#app/forms/form-action.server.ts";
import { textsOf } from "#app/forms/form-fields.server.ts";
import { type FormResult, resultOf } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { SWITCHES } from "#app/notices.server.ts";
import type { Switch } from "#app/platform/notices.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { playerRow } from "#app/routes/player-row.server.ts";
import type { Route } from "./+types/notifications";
import { deviceForms } from "#app/routes/push/device-forms.server.ts";
import { PushDevice } from "#app/routes/push/push-device.tsx";
import { SettingsPage } from "./settings-page.tsx";

export const meta = metaOf({ title: "Notifications", path: "/settings/notifications" });

export async function loader({ context }: Route.LoaderArgs) {
  const { db, env } = context.get(appContext);
  const { userId, sessionId, isAdmin } = context.get(viewerContext);
  const [settings, isOnHere] = await Promise.all([
    findSettings(db, userId, SWITCHES),
    hasDevice(db, sessionId),
  ]);
  // Without keys for push there are only emails.
  const { vapid, brandName } = env;
  const offered = switchesFor(isAdmin).filter(({ isPushOnly }) => vapid || !isPushOnly);
  const kinds = offered.map((one) => ({ ...one, ...settings[one.kind]! }));
  return { kinds, push: vapid && { brandName, publicKey: vapid.publicKey, isOnHere } };
}

const switchesFor = (isAdmin: boolean) =>
  SWITCHES.filter(({ isForOrganisers }) => isAdmin || !isForOrganisers);

export const action = formActions({
  save: playerRow({
    failed: "Failed to save",
    keep: ["email", "push"],
    run: ({ db, env, viewer, form }) => {
      const [emails, pushes] = [textsOf(form, "email"), textsOf(form, "push")];
      const settingOf = ({ kind, isPushOnly, hasNoPush }: Switch) => ({
        email: isPushOnly || emails.includes(kind),
        // If the page has no such column, earlier choices stay.
        ...(env.vapid && { push: hasNoPush || pushes.includes(kind) }),
      });
      const settings = switchesFor(viewer.isAdmin).map((one) => [one.kind, settingOf(one)]);
      return saveSettings(db, viewer.userId, Object.fromEntries(settings));
    },
    errors: {},
    done: { title: "Notifications saved" },
  }),
  ...deviceForms,
});

export default function Notifications({ loaderData, actionData }: Route.ComponentProps) {
  const { kinds, push } = loaderData;
  return (
    <SettingsPage
      title="Notifications"
      lead="Bookings, refunds, cancelled games and the security of your account are always confirmed by email."
    >
      {push && <PushDevice {...push} result={resultOf(actionData, "device-on", "device-off")} />}
      <IntentForm intent="save" result={resultOf(actionData, "save")}>
        <KindTable
          key={JSON.stringify(kinds)}
          kinds={kinds}
          hasPush={push !== null}
          sent={resultOf(actionData, "save")?.values}
        />
        <SubmitButton variant="primary" size="lg" wide pendingLabel="Saving...">
          Save
        </SubmitButton>
      </IntentForm>
    </SettingsPage>
  );
}

type Kinds = Route.ComponentProps["loaderData"]["kinds"];

type KindTableProps = {
  kinds: Kinds;
  hasPush: boolean;
  sent: FormResult["values"];
};

function KindTable({ kinds, hasPush, sent }: KindTableProps) {
  const isOn = (name: "email" | "push", row: Kinds[number]) =>
    sent ? (sent[name] ?? "").split("\n").includes(row.kind) : row[name];
  return (
    <table className="w-full rounded-card bg-surface shadow-card">
      <caption className="sr-only">What you want to hear of, and how</caption>
      <thead>
        <tr className="text-sm text-muted">
          <th scope="col" className="px-4 pt-3 text-left font-semibold">
            Tell me about
          </th>
          <th scope="col" className="pt-3 font-semibold">
            Email
          </th>
          {hasPush && (
            <th scope="col" className="pt-3 pr-2 font-semibold">
              Push
            </th>
          )}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {kinds.map((row) => (
          <tr key={row.kind}>
            <th scope="row" className="px-4 py-3 text-left font-semibold wrap-anywhere">
              {row.label}
              <span className="block text-sm font-normal text-muted">{row.hint}</span>
            </th>
            {row.isPushOnly ? (
              <None>{row.hasNoEmail ? "None" : "Always"}</None>
            ) : (
              <Switch name="email" row={row} isOn={isOn("email", row)} />
            )}
            {hasPush &&
              (row.hasNoPush ? (
                <None />
              ) : (
                <Switch name="push" row={row} isOn={isOn("push", row)} />
              ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function None({ children = "None" }: { children?: string }) {
  return <td className="w-16 text-center text-sm text-muted">{children}</td>;
}

type SwitchProps = { name: "email" | "push"; row: Kinds[number]; isOn: boolean };

function Switch({ name, row: { kind, label }, isOn }: SwitchProps) {
  return (
    <td className="w-[64px] text-center">
      <label className="mx-auto grid size-[48px] cursor-pointer place-items-center">
        <input
          type="checkbox"
          name={name}
          value={kind}
          defaultChecked={isOn}
          aria-label={`${label} by ${name}`}
          className="size-5"
        />
      </label>
    </td>
  );
}
