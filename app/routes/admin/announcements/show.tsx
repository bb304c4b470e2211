import { data, Link } from "react-router";
import { findAnnouncement } from "#app/features/announcements/progress.server.ts";
import { type FormResult, resultOf } from "#app/forms/form-result.ts";
import { ShortForm } from "#app/forms/intent-form.tsx";
import { FollowProgress } from "#app/routes/admin/follow-progress.tsx";
import { AdminPage, Part } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { missingBoundary } from "#app/routes/error-screens.tsx";
import { metaOf } from "#app/routes/meta.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Progress } from "#app/ui/progress.tsx";
import type { Route } from "./+types/show";
import { progressAction } from "./actions.server.ts";
import { type AnnouncementView, toAnnouncementView } from "./view.server.ts";

const LIST = { to: "/admin/players/announcements", label: "Announcements" };

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, env, now } = context.get(appContext);
  const announcement = await findAnnouncement(db, params.announcementId);
  if (!announcement) throw data(null, 404);
  return toAnnouncementView(announcement, env, now());
}

export const action = progressAction;

export const meta = metaOf({ title: "Announcement" });

export const ErrorBoundary = missingBoundary(
  "Announcement not found",
  LIST.to,
  LIST.label,
  "There is no such announcement.",
);

export default function AnnouncementPage({ loaderData, actionData }: Route.ComponentProps) {
  const { subject, message, facts, kind, state, undelivered, isFinished } = loaderData;
  return (
    <AdminPage
      back={LIST}
      title={subject}
      about={`${kind}. ${facts}`}
      aside={<Badge tone={state.tone}>{state.label}</Badge>}
      className="grid max-w-2xl gap-6"
    >
      <FollowProgress isFinished={isFinished} />
      <Sending announcement={loaderData} result={actionData} />
      {undelivered > 0 && (
        <Notice tone="warn">
          The mail server did not take all of them.{" "}
          <Link to="/admin/inbox/mail" className="font-semibold underline">
            See which and why
          </Link>
        </Notice>
      )}
      <Part title="Text">
        <p className="rounded-card bg-surface p-4 wrap-anywhere whitespace-pre-line shadow-card">
          {message}
        </p>
      </Part>
    </AdminPage>
  );
}

interface SendingProps {
  announcement: AnnouncementView;
  result: FormResult | undefined;
}

function Sending({ announcement, result }: SendingProps) {
  const { recipients, sent, progress, rest, left, hasLeftOut, hasUnsure, canStop, canResume } =
    announcement;
  return (
    <div className="grid gap-4 rounded-card bg-surface p-4 shadow-card">
      <Progress label="Sent" text={progress} value={sent} max={recipients} />
      <div role="status" className="grid gap-1 tabular-nums">
        {rest.length > 0 && <p>{rest.join(", ")}.</p>}
        {hasLeftOut && (
          <p className="text-muted">
            Left out: accounts that were deleted or suspended meanwhile, and who has switched these
            emails off.
          </p>
        )}
        {hasUnsure && (
          <p className="text-muted">
            Perhaps sent: the server stopped at that moment. News is not sent a second time.
          </p>
        )}
        {left && <p className="text-muted">{left}</p>}
      </div>
      {canStop && (
        <ShortForm
          intent="stop"
          variant="secondary"
          result={resultOf(result, "stop")}
          submit="Stop sending"
        />
      )}
      {canResume && (
        <ShortForm intent="resume" result={resultOf(result, "resume")} submit="Go on sending" />
      )}
    </div>
  );
}
