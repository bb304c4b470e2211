import type { ReactNode } from "react";
import { Check, Cross } from "#app/ui/icon.tsx";
import { LinkBadge } from "./link-badge.tsx";
import { isMendable, LINK_ADVICE } from "./link-words.ts";
import type { DeskPackWords } from "./pack-words.server.ts";

/** What selling a pack needs, and what of it is there. It opens by itself where something lacks. */
export function LinkPanel({ pack }: { pack: DeskPackWords }) {
  const { check, isActive } = pack;
  const lacks = isMendable(check.state);
  return (
    <section
      aria-labelledby="payment-link"
      className="grid min-w-0 gap-4 rounded-card bg-surface p-4 shadow-card md:p-6"
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 id="payment-link" className="text-base">
          Payment link
        </h3>
        <LinkBadge state={check.state} />
      </div>
      <details open={lacks && isActive} className="group">
        <summary className={summaryClass}>Check link</summary>
        <div className="mt-4 grid gap-4">
          <Facts pack={pack} />
          <p>{LINK_ADVICE[check.state]}</p>
          {lacks && (
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

function Facts({ pack: { check, ids, prefix, id } }: { pack: DeskPackWords }) {
  const isDemo = check.state === "sandbox";
  return (
    <ul className="grid gap-2">
      <Fact isThere={check.isSet} detail={ids.checkoutLink}>
        A link is stored
      </Fact>
      <Fact isThere={check.isBelowPrefix} detail={prefix}>
        It begins as payment links must
      </Fact>
      <Fact isThere={check.hasLinkId} detail={ids.paymentLinkId}>
        Its id at Stripe is known
      </Fact>
      <Fact isThere={check.hasPriceId} detail={ids.priceId}>
        The price&rsquo;s id at Stripe is known
      </Fact>
      {!isDemo && (
        <Fact isThere={check.hasPriceId} detail={`pack_${id}`}>
          The product at Stripe, which comes with the price
        </Fact>
      )}
    </ul>
  );
}

type FactProps = { isThere: boolean; detail: string | null; children: ReactNode };

function Fact({ isThere, detail, children }: FactProps) {
  const Mark = isThere ? Check : Cross;
  return (
    <li className="flex gap-3">
      <Mark className={`mt-0.5 size-5 shrink-0 ${isThere ? "text-good" : "text-danger"}`} />
      <span className="min-w-0">
        <span className="sr-only">{isThere ? "Yes: " : "No: "}</span>
        {children}
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
