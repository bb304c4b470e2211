import { findPack } from "#app/features/wallet/packs.server.ts";
import { FocusedBox } from "#app/forms/form-errors.tsx";
import { type FormResult, resultOf } from "#app/forms/form-result.ts";
import { Shown } from "#app/forms/shown.tsx";
import { editorMeta } from "#app/routes/admin/entity/editor.tsx";
import type { FormView } from "#app/routes/admin/entity/form-view.server.ts";
import { EntityForm } from "#app/routes/admin/entity/form.tsx";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { orMissing } from "#app/routes/admin/load-page.server.ts";
import { AdminPage, Panel, panelClass } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { missingBoundary } from "#app/routes/error-screens.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Check, Cross } from "#app/ui/icon.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { Route } from "./+types/edit";
import {
  type AdminPackView,
  packAction,
  packForm,
  type PackResult,
  toAdminPackView,
} from "./actions.server.ts";
import { useEffect, useRef, useState } from "react";
import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { priceOf } from "#app/features/wallet/deal-rules.ts";
import { euros } from "#app/platform/money.ts";

const LIST = { to: "/admin/packs", label: "Packs" };

export async function loader({ params: { packId }, context }: Route.LoaderArgs) {
  const { db, env } = context.get(appContext);
  if (packId === undefined) return { found: { row: null, form: packForm(null) } };
  const pack = orMissing(await findPack(db, packId));
  return { found: { row: toAdminPackView(pack, env.paymentLinkPrefix), form: packForm(pack) } };
}

export const action = packAction;

export const meta = editorMeta("New pack", "Pack not found");

export const ErrorBoundary = missingBoundary("Pack not found", LIST.to, "Back to Packs");

export default function EditPack({ loaderData, actionData }: Route.ComponentProps) {
  const { row: pack, form } = loaderData.found;
  if (!pack) return <NewPack form={form} result={actionData} />;
  const saved = resultOf(actionData, "save");
  return (
    <AdminPage back={LIST} title={pack.name} about={pack.kind}>
      <div className="grid items-start gap-4 md:grid-cols-2">
        <div className={panelClass}>
          {pack.isAnyAmount ? (
            <AnyAmount isOnSale={pack.isOnSale} result={resultOf(actionData, "stop-selling")} />
          ) : (
            // Remounts after saving, to show the saved values.
            <EntityForm key={`${pack.id} ${form.version}`} form={form} result={saved} submit="Save">
              <Prices />
              <Questions result={saved} />
            </EntityForm>
          )}
        </div>
        <LinkPanel pack={pack} result={resultOf(actionData, "make-link")} />
      </div>
    </AdminPage>
  );
}

function AnyAmount({ isOnSale, result }: { isOnSale: boolean; result: FormResult | undefined }) {
  return (
    <div className="grid gap-4">
      <p>
        Players who have some credits, but too few for a game, are offered to pay what is missing.
        The payment link alone sells it: without one nobody is offered it.
      </p>
      {(isOnSale || result) && (
        <IntentForm intent="stop-selling" result={result}>
          <SubmitButton pendingLabel="Saving…">Stop selling it</SubmitButton>
        </IntentForm>
      )}
    </div>
  );
}

function NewPack({ form, result }: { form: FormView; result: PackResult | undefined }) {
  return (
    <AdminPage back={LIST} title="New pack">
      <p className="max-w-xl text-muted">
        Players pay for it every month. The single game is the one pack that is paid for once, and
        is in the list already.
      </p>
      <div className={`max-w-xl ${panelClass}`}>
        <EntityForm form={form} result={result} submit="Create pack">
          <Prices />
          <Questions result={result} />
        </EntityForm>
      </div>
    </AdminPage>
  );
}

function Questions({ result }: { result: PackResult | undefined }) {
  if (!result?.asks) return null;
  const { dropsLink, price, unusual } = result.asks;
  return (
    <FocusedBox of={result} label="Price">
      <Notice tone="warn" title="Nothing is saved yet">
        <p className="tabular-nums">{price}</p>
        {unusual && <Yes name="confirmed" value={unusual.key} label={unusual.label} />}
        {dropsLink && (
          <>
            <p className="mt-2">
              The payment link sells the old deal. With the new one it goes, and the pack is off
              sale until you make a new link. Subscriptions go on as they began.
            </p>
            <Yes name="dropLink" value="1" label="Take the payment link away" />
          </>
        )}
        {/* What was agreed to is not asked again with the other question. */}
        {!dropsLink && result.values?.["dropLink"] && (
          <input type="hidden" name="dropLink" value="1" />
        )}
        {!unusual && result.values?.["confirmed"] && (
          <input type="hidden" name="confirmed" value={result.values["confirmed"]} />
        )}
      </Notice>
    </FocusedBox>
  );
}

function Yes({ label, ...input }: { label: string; name: string; value: string }) {
  return (
    <label className="mt-2 flex min-h-11 items-center gap-3 font-semibold">
      <input type="checkbox" {...input} className="size-5 shrink-0" />
      {label}
    </label>
  );
}

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

/** What a credit and a game cost, as it is typed into the form around it. */
function Prices() {
  const line = useRef<HTMLParagraphElement>(null);
  const [text, setText] = useState("");
  useEffect(() => {
    const form = line.current?.closest("form");
    if (!form) return;
    const show = () => setText(pricesText(form));
    show();
    form.addEventListener("input", show);
    return () => form.removeEventListener("input", show);
  }, []);
  return (
    <p ref={line} className="text-muted tabular-nums">
      {text}
    </p>
  );
}

function pricesText(form: HTMLFormElement): string {
  const fields = new FormData(form);
  const [priceCents, creditsCents] = [centsIn(fields.get("price")), centsIn(fields.get("credits"))];
  const deal = { priceCents, creditsCents };
  const [credit, game] = [priceOf(100, deal), priceOf(GAME_PRICE_CENTS, deal)];
  if (!priceCents || credit === null || game === null) return "";
  return `${euros(credit)} a credit, ${euros(game)} a game`;
}

/** 0 for what the server would reject. */
function centsIn(typed: FormDataEntryValue | null): number {
  const text = typeof typed === "string" ? typed.trim().replace(",", ".") : "";
  return /^\d{1,4}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : 0;
}
