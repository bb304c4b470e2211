import { data } from "react-router";
import { findAdminPack } from "#app/features/wallet/packs.server.ts";
import { editedVersion } from "#app/forms/form-result.ts";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Check, Cross } from "#app/ui/icon.tsx";
import type { Route } from "./+types/edit";
import { type AdminPackView, editAction, toAdminPackView } from "./actions.server.ts";
import { PackForm } from "./form.tsx";
import { Missing } from "#app/routes/error-screens.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, env } = context.get(appContext);
  const pack = await findAdminPack(db, params.packId);
  return pack ? data(toAdminPackView(pack, env.paymentLinkPrefix)) : data(null, 404);
}

export const action = editAction;

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta(siteOf(matches), { title: loaderData?.name ?? "Pack not found" });

export default function EditPack({ loaderData: pack, actionData }: Route.ComponentProps) {
  if (!pack) {
    return <Missing title="Pack not found" back={{ to: "/admin/packs", label: "Back to Packs" }} />;
  }
  return (
    <div className="grid gap-4">
      <BackLink to="/admin/packs">Packs</BackLink>
      <div>
        <h2 className="text-lg wrap-anywhere">{pack.name}</h2>
        <p className="text-muted">{pack.kind}</p>
      </div>
      <div className="grid items-start gap-4 md:grid-cols-2">
        <div className="min-w-0 rounded-card bg-surface p-4 shadow-card md:p-6">
          <PackForm
            // What was saved is what it shows next.
            key={`${pack.id} ${pack.version}`}
            hidden={{ version: editedVersion(actionData, pack.version) }}
            values={pack.values}
            result={actionData}
            isPriceTied={pack.isPriceTied}
            submit="Save"
          />
        </div>
        <LinkPanel pack={pack} />
      </div>
    </div>
  );
}

/** What selling a pack needs, and what of it is there. It opens by itself where something lacks. */
function LinkPanel({ pack }: { pack: AdminPackView }) {
  const { link, facts, isActive } = pack;
  return (
    <section
      aria-labelledby="payment-link"
      className="grid min-w-0 gap-4 rounded-card bg-surface p-4 shadow-card md:p-6"
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 id="payment-link" className="text-base">
          Payment link
        </h3>
        <Badge tone={link.tone}>{link.label}</Badge>
      </div>
      <details open={link.isMendable && isActive} className="group">
        <summary className={summaryClass}>Check link</summary>
        <div className="mt-4 grid gap-4">
          <ul className="grid gap-2">
            {facts.map(([text, isThere, detail]) => (
              <Fact key={text} text={text} isThere={isThere} detail={detail} />
            ))}
          </ul>
          <p>{link.advice}</p>
          {link.isMendable && (
            <>
              <code className="overflow-x-auto rounded-card bg-sunken px-3 py-2 font-mono text-sm select-all">
                npm run stripe:links
              </code>
              <p className="text-sm text-muted">
                It needs STRIPE_SECRET_KEY, and looks at packs that are on sale
                {isActive ? "." : ": put this one on sale first."}
              </p>
            </>
          )}
        </div>
      </details>
    </section>
  );
}

type FactProps = { text: string; isThere: boolean; detail: string | null };

function Fact({ text, isThere, detail }: FactProps) {
  const Mark = isThere ? Check : Cross;
  return (
    <li className="flex gap-3">
      <Mark className={`mt-0.5 size-5 shrink-0 ${isThere ? "text-good" : "text-danger"}`} />
      <span className="min-w-0">
        <span className="sr-only">{isThere ? "Yes: " : "No: "}</span>
        {text}
        {detail && (
          <span className="block font-mono text-sm wrap-anywhere text-muted">{detail}</span>
        )}
      </span>
    </li>
  );
}

const summaryClass =
  "flex min-h-11 cursor-pointer items-center justify-center rounded-card border border-edge " +
  "bg-raised px-4 py-2 font-semibold hover:border-ink";
