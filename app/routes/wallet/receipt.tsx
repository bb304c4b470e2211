import { data } from "react-router";
import { describeReceipt, type ReceiptView } from "#app/features/wallet/receipt-rules.ts";
import { findReceipt } from "#app/features/wallet/receipts.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ArrowLeft } from "#app/ui/icon.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/receipt";

export async function loader({ params: { paymentId }, context }: Route.LoaderArgs) {
  const { db, env } = context.get(appContext);
  const { userId } = context.get(viewerContext);
  const receipt = await findReceipt(db, { paymentId, userId });
  if (!receipt) throw data(null, 404);
  return describeReceipt(receipt, env);
}

export const meta = metaOf({ title: "Receipt" });

export default function ReceiptPage({ loaderData: receipt }: Route.ComponentProps) {
  const hydrated = useHydrated();
  return (
    <div className="mx-auto grid max-w-2xl gap-6 px-4 pt-6 print:max-w-none print:p-0">
      <div className="flex flex-wrap justify-between gap-3 print:hidden">
        <ButtonLink to="/wallet" variant="quiet" className="-ml-4">
          <ArrowLeft className="size-5" /> Back to the wallet
        </ButtonLink>
        {hydrated && (
          <Button type="button" variant="primary" onClick={() => window.print()}>
            Print
          </Button>
        )}
      </div>
      <article className="grid gap-6 rounded-card bg-surface p-5 text-ink shadow-card print:p-0 print:shadow-none">
        <h1 className="text-xl">{`Receipt ${receipt.number}`}</h1>
        <Parties {...receipt} />
        <Amounts {...receipt} />
      </article>
    </div>
  );
}

function Parties({ seller, buyer, date, method }: ReceiptView) {
  return (
    <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3 print:grid-cols-3">
      <Fact label="Seller" lines={seller} />
      {buyer && <Fact label="Buyer" lines={[buyer]} />}
      <Fact label="Paid on" lines={method ? [date, method] : [date]} />
    </dl>
  );
}

function Fact({ label, lines }: { label: string; lines: string[] }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{label}</dt>
      {lines.map((line) => (
        <dd key={line} className="wrap-anywhere" translate={label === "Paid on" ? "yes" : "no"}>
          {line}
        </dd>
      ))}
    </div>
  );
}

function Amounts({ item, game, total, vat, returned }: ReceiptView) {
  return (
    <table className="w-full tabular-nums">
      <caption className="sr-only">What was bought</caption>
      <tbody>
        <Line label={item} note={game} amount={total} />
        {vat.map((row) => (
          <Line key={row.label} {...row} look="text-muted" />
        ))}
        <Line label="Paid" amount={total} look="font-bold border-t-2 border-edge" />
        {returned.map((row, nth) => (
          <Line
            key={row.label}
            {...row}
            look={nth === returned.length - 1 ? "font-bold border-t border-edge" : ""}
          />
        ))}
      </tbody>
    </table>
  );
}

type LineProps = { label: string; note?: string | null; amount: string; look?: string };

function Line({ label, note, amount, look = "" }: LineProps) {
  return (
    <tr className={`align-top ${look}`}>
      <th scope="row" className="py-2 pr-4 text-left [font-weight:inherit] wrap-anywhere">
        {label}
        {note && <span className="block text-sm text-muted">{note}</span>}
      </th>
      <td className="py-2 text-right whitespace-nowrap">{amount}</td>
    </tr>
  );
}
