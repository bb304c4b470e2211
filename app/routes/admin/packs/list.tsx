import { listPacks } from "#app/features/wallet/packs.server.ts";
import { ListPage } from "#app/routes/admin/list-page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { Badge } from "#app/ui/badge.tsx";
import type { Route } from "./+types/list";
import { type PackView, toPackView } from "./actions.server.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const { db, env } = context.get(appContext);
  const packs = await listPacks(db);
  return { packs: packs.map((pack) => toPackView(pack, env.paymentLinkPrefix)) };
}

export const meta = metaOf({ title: "Packs" });

export default function Packs({ loaderData: { packs } }: Route.ComponentProps) {
  return (
    <ListPage
      title="Packs"
      path="/admin/packs"
      newLabel="New pack"
      rows={packs}
      toRow={(pack) => <PackRow pack={pack} />}
      rowClass="md:grid-cols-[1fr_13rem_17rem]"
      empty="No packs yet. Players cannot buy credits."
    />
  );
}

function PackRow({ pack }: { pack: PackView }) {
  return (
    <>
      <span className="grid min-w-0">
        <span className="font-semibold wrap-anywhere">{pack.name}</span>{" "}
        <span className="text-sm text-muted">{pack.kind}</span>
      </span>
      <span className="tabular-nums">{pack.deal}</span>
      <span className="flex flex-wrap gap-2 md:justify-end">
        {pack.isWanted && <Badge tone={pack.link.tone}>{pack.link.label}</Badge>}
        <Badge tone={pack.isOnSale ? "green" : "neutral"}>
          {pack.isOnSale ? "On sale" : "Not on sale"}
        </Badge>
      </span>
    </>
  );
}
