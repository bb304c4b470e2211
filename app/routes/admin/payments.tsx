import { randomUUID } from "node:crypto";
import { useEffect } from "react";
import { data, redirect } from "react-router";
import { listPacks } from "#app/features/wallet/packs.server.ts";
import {
  listUnmatchedEvents,
  resolveUnmatchedEvent,
} from "#app/features/wallet/unmatched-events.server.ts";
import { sumPayments } from "#app/features/wallet/metrics.server.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { isLiveKey } from "#app/platform/stripe.server.ts";
import { Notice } from "#app/ui/notice.tsx";
import { toast } from "#app/ui/toast.ts";
import { appContext } from "#app/routes/context.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { rethrow } from "#app/forms/unknown-outcome.server.ts";
import type { Route } from "./+types/payments";
import { ParkedList } from "./parked-list.tsx";
import { showPack, showParked, totalWords } from "./parked-words.ts";
import { explainRefusal, readSettlement, type Refusal, settledMessage } from "./settle-form.ts";

const SHOWN = 100;
const RECENT_MS = 30 * 86_400_000;

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const [events, packs, recent] = await Promise.all([
    listUnmatchedEvents(db, SHOWN + 1),
    listPacks(db),
    sumPayments(db, new Date(now().getTime() - RECENT_MS)),
  ]);
  return {
    payments: events.slice(0, SHOWN).map(showParked),
    hasMore: events.length > SHOWN,
    packs: packs.map(showPack),
    recent: totalWords(recent),
    formKey: randomUUID(),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, env, now } = context.get(appContext);
  const { userId: adminId } = context.get(viewerContext);
  const fields = await formFields(request);
  const settlement = readSettlement(fields);
  if (!settlement.ok) return refuse(settlement);
  const { eventId, resolution } = settlement;
  const isLive = isLiveKey(env.stripeSecretKey);
  const formKey = formKeyOf(fields.formKey);
  const deed = { eventId, adminId, resolution, formKey, isLive, now: now() };
  const answer = await resolveUnmatchedEvent(db, deed).catch(rethrow);
  if (!answer.ok) return refuse(explainRefusal(answer.reason, eventId, fields));
  const cookie = await toastCookie(env, settledMessage(resolution, answer.isGranted));
  return redirect("/admin/payments", { headers: { "Set-Cookie": cookie } });
}

function refuse({ refusal, status }: { refusal: Refusal; status: number }) {
  return data(refusal, { status });
}

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Payments to settle" });

export default function Payments({ loaderData, actionData: refusal }: Route.ComponentProps) {
  const { recent, ...list } = loaderData;
  const notice = refusal?.notice;
  const isListed = list.payments.some(({ id }) => id === refusal?.eventId);
  useEffect(() => {
    if (!notice) return;
    document.querySelector<HTMLDialogElement>("dialog[open]")?.close();
    toast({ ...notice, tone: "danger" });
  }, [notice]);
  return (
    <section aria-labelledby="to-settle" className="grid gap-4">
      <div>
        <h2 id="to-settle" className="text-lg">
          Payments to settle
        </h2>
        <p className="text-muted tabular-nums">{recent}</p>
      </div>
      {notice && !isListed && (
        <Notice tone="danger" title={notice.title}>
          {notice.description}
        </Notice>
      )}
      <ParkedList {...list} refusal={refusal} />
    </section>
  );
}
