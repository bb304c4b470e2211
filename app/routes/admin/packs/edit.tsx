import { data } from "react-router";
import { findPack } from "#app/features/wallet/packs.server.ts";
import { Shown } from "#app/forms/shown.tsx";
import { editedVersion, type FormResult, resultOf } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/routes/admin/intent-form.tsx";
import { AdminPage, Panel, panelClass } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Check, Cross } from "#app/ui/icon.tsx";
import type { Route } from "./+types/edit";
import { type AdminPackView, packAction, toAdminPackView } from "./actions.server.ts";
import { PackForm } from "./form.tsx";
import { missingBoundary } from "#app/routes/error-screens.tsx";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, env } = context.get(appContext);
  const pack = await findPack(db, params.packId);
  if (!pack) throw data(null, 404);
  return toAdminPackView(pack, env.paymentLinkPrefix);
}

export const action = packAction;

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta(siteOf(matches), { title: loaderData?.name ?? "Pack not found" });

export const ErrorBoundary = missingBoundary("Pack not found", "/admin/packs", "Back to Packs");

export default function EditPack({ loaderData: pack, actionData }: Route.ComponentProps) {
  return (
    <AdminPage back={PACKS} title={pack.name} about={pack.kind}>
      <div className="grid items-start gap-4 md:grid-cols-2">
        <div className={panelClass}>
          <PackForm
            // Remounts after saving, to show the saved values.
            key={`${pack.id} ${pack.version}`}
            hidden={{ version: editedVersion(resultOf(actionData, "save"), pack.version) }}
            values={pack.values}
            result={resultOf(actionData, "save")}
            isPriceTied={pack.isPriceTied}
            submit="Save"
          />
        </div>
        <LinkPanel pack={pack} result={resultOf(actionData, "make-link")} />
      </div>
    </AdminPage>
  );
}

const PACKS = { to: "/admin/packs", label: "Packs" };

type LinkPanelProps = { pack: AdminPackView; result: FormResult | undefined };

/** Makes the link, next to a checklist of what selling a pack needs. */
function LinkPanel({ pack, result }: LinkPanelProps) {
  const { link, facts } = pack;
  return (
    <Panel title="Payment link" aside={<Badge tone={link.tone}>{link.label}</Badge>}>
      <p>{link.advice}</p>
      {(link.isMendable || result) && (
        <IntentForm intent="make-link" result={result}>
          <Shown facts={pack.shown} />
          {link.isMendable && (
            <SubmitButton variant="primary" pendingLabel="Making…" className="max-md:w-full">
              Make the payment link
            </SubmitButton>
          )}
        </IntentForm>
      )}
      <details>
        <summary className={summaryClass}>Check link</summary>
        <ul className="mt-4 grid gap-2">
          {facts.map(([text, isThere, detail]) => (
            <Fact key={text} text={text} isThere={isThere} detail={detail} />
          ))}
        </ul>
      </details>
    </Panel>
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
