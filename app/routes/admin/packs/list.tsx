import { Link } from "react-router";
import { listPacks } from "#app/features/wallet/packs.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Plus } from "#app/ui/icon.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/list";
import { type PackView, toPackView } from "./actions.server.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const { db, env } = context.get(appContext);
  const packs = await listPacks(db);
  return { packs: packs.map((pack) => toPackView(pack, env.paymentLinkPrefix)) };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Packs" });

export default function Packs({ loaderData: { packs } }: Route.ComponentProps) {
  return (
    <section aria-labelledby="packs" className="grid gap-4">
      <div className="flex items-center justify-between gap-4">
        <h2 id="packs" className="text-lg">
          Packs
        </h2>
        <ButtonLink to="/admin/packs/new" variant="primary">
          <Plus className="size-5" /> New pack
        </ButtonLink>
      </div>
      {packs.length === 0 && <EmptyState>No packs yet. Players cannot buy credits.</EmptyState>}
      <ul className="grid gap-3 md:gap-0 md:overflow-hidden md:rounded-card md:bg-surface md:shadow-card">
        {packs.map((pack) => (
          <li key={pack.id} className="md:border-t md:border-line md:first:border-t-0">
            <PackRow pack={pack} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function PackRow({ pack }: { pack: PackView }) {
  return (
    <Link to={`/admin/packs/${pack.id}`} className={rowClass}>
      <span className="grid min-w-0">
        <span className="font-semibold wrap-anywhere">{pack.name}</span>{" "}
        <span className="text-sm text-muted">{pack.kind}</span>
      </span>
      <span className="tabular-nums">{pack.deal}</span>
      <span className="flex flex-wrap gap-2 md:justify-end">
        {pack.isActive && <Badge tone={pack.link.tone}>{pack.link.label}</Badge>}
        <Badge tone={pack.isActive ? "green" : "neutral"}>
          {pack.isActive ? "On sale" : "Not on sale"}
        </Badge>
      </span>
    </Link>
  );
}

const rowClass =
  "grid items-center gap-x-4 gap-y-2 rounded-card bg-surface p-4 shadow-card hover:bg-sunken " +
  "md:grid-cols-[1fr_13rem_17rem] md:rounded-none md:bg-transparent md:shadow-none " +
  "md:hover:bg-sunken focus-visible:-outline-offset-3";
