import { Link } from "react-router";
import {
  endOtherSessions,
  endSession,
  listSessions,
} from "#app/features/accounts/sessions.server.ts";
import { helsinkiDate, formatMoment, monthDayYear } from "#app/platform/clock.ts";
import { Badge } from "#app/ui/badge.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { formActions } from "#app/forms/form-action.server.ts";
import { rejected } from "#app/forms/form-rows.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { IntentForm, ShortForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { viewerContext } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { playerRow } from "#app/routes/player-row.server.ts";
import type { Route } from "./+types/sessions";
import { SettingsPage } from "./settings-page.tsx";

export const meta = metaOf({ title: "Your devices", path: "/settings/sessions" });

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const viewer = context.get(viewerContext);
  const isThis = ({ id }: { id: string }) => id === viewer.sessionId;
  const listed = await listSessions(db, viewer, now());
  const sessions = [...listed.filter(isThis), ...listed.filter((session) => !isThis(session))];
  return {
    sessions: sessions.map(({ id, device, beganAt, lastUsedAt }) => ({
      id,
      device,
      began: formatMoment(beganAt),
      lastUsed: monthDayYear(helsinkiDate(lastUsedAt)),
      isThis: isThis({ id }),
    })),
  };
}

export const action = formActions({
  end: playerRow({
    failed: "Failed to sign out",
    isRepeatUnsafe: true,
    run: async ({ db, viewer: { userId }, fields: { sessionId = "" } }) =>
      (await endSession(db, { userId, sessionId })) || rejected("not-own"),
    errors: { "not-own": ["missing"] },
    done: { title: "Signed out there" },
  }),
  "end-others": playerRow({
    failed: "Failed to sign out",
    isRepeatUnsafe: true,
    run: ({ db, viewer }) => endOtherSessions(db, viewer),
    errors: {},
    done: { title: "Other devices are signed out" },
  }),
});

export default function Sessions({ loaderData, actionData }: Route.ComponentProps) {
  const { sessions } = loaderData;
  return (
    <SettingsPage
      title="Your devices"
      lead={
        <>
          Do not know one of these? Sign it out, then{" "}
          <Link to="/settings/change-password" className="link">
            change your password
          </Link>
          .
        </>
      }
    >
      <FormErrors result={actionData} />
      <ul className="divide-y divide-line rounded-card bg-surface shadow-card">
        {sessions.map((session) => (
          <Device key={session.id} session={session} />
        ))}
      </ul>
      {sessions.length > 1 && (
        <ShortForm
          intent="end-others"
          variant="secondary"
          submit="Sign out all other devices"
          pendingLabel="Signing out..."
        />
      )}
    </SettingsPage>
  );
}

type Session = Route.ComponentProps["loaderData"]["sessions"][number];

function Device({ session }: { session: Session }) {
  const { id, device, began, lastUsed, isThis } = session;
  return (
    <li className="flex items-center justify-between gap-3 p-4">
      <div>
        <p className="font-semibold">{device}</p>
        <p className="text-sm text-muted tabular-nums">
          Signed in {began}
          <br />
          Last used {lastUsed}
        </p>
      </div>
      {isThis ? (
        <Badge tone="green">This device</Badge>
      ) : (
        <IntentForm intent="end" hidden={{ sessionId: id }}>
          <SubmitButton
            pendingLabel="Sign out"
            aria-label={`Sign out ${device}, signed in ${began}`}
          >
            Sign out
          </SubmitButton>
        </IntentForm>
      )}
    </li>
  );
}
