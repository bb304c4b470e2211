import { listAnnouncements } from "#app/features/announcements/progress.server.ts";
import { ListPage } from "#app/routes/admin/list-page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { Badge } from "#app/ui/badge.tsx";
import type { Route } from "./+types/list";
import { type AnnouncementView, toAnnouncementView } from "./view.server.ts";

const MOST = 50;

export async function loader({ context }: Route.LoaderArgs) {
  const { db, env, now } = context.get(appContext);
  const announcements = await listAnnouncements(db, MOST);
  return announcements.map((one) => toAnnouncementView(one, env, now()));
}

export const meta = metaOf({ title: "Announcements" });

export default function Announcements({ loaderData }: Route.ComponentProps) {
  return (
    <ListPage
      title="Announcements"
      path="/admin/players/announcements"
      newLabel="Tell everybody"
      about="Emails to all players, to those who have played lately, or to a venue’s players."
      rows={loaderData}
      toRow={(one) => <Row announcement={one} />}
      rowClass="md:grid-cols-[1fr_12rem_7rem]"
      empty="Nothing has been announced yet."
    />
  );
}

function Row({ announcement }: { announcement: AnnouncementView }) {
  const { subject, facts, progress, state } = announcement;
  return (
    <>
      <span className="grid min-w-0">
        <span className="font-semibold wrap-anywhere">{subject}</span>{" "}
        <span className="text-sm text-muted tabular-nums">{facts}</span>
      </span>
      <span className="tabular-nums">{progress}</span>
      <span className="flex md:justify-end">
        <Badge tone={state.tone}>{state.label}</Badge>
      </span>
    </>
  );
}
