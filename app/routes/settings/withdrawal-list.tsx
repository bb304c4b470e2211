import { Form, useNavigation } from "react-router";
import type { WithdrawalState } from "#app/features/support/withdrawals.server.ts";
import { Badge, type BadgeTone } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import type { WithdrawalWords } from "./withdraw-words.ts";

/** What was withdrawn from, newest first; nothing at all where there is none. */
export function WithdrawalList({ withdrawals }: { withdrawals: WithdrawalWords[] }) {
  if (withdrawals.length === 0) return null;
  return (
    <section aria-labelledby="withdrawals">
      <h2 id="withdrawals" className="mb-3 text-lg">
        Your withdrawals
      </h2>
      <ul className="divide-y divide-line rounded-card bg-surface shadow-card">
        {withdrawals.map((withdrawal) => (
          <Item key={withdrawal.id} withdrawal={withdrawal} />
        ))}
      </ul>
      {withdrawals.some(({ canCancelWithdrawal }) => canCancelWithdrawal) && (
        <p className="mt-2 text-sm text-muted">
          The refund takes up to 14 days. Until it is made you can take the withdrawal back, and its
          credits return to your wallet.
        </p>
      )}
    </section>
  );
}

function Item({ withdrawal }: { withdrawal: WithdrawalWords }) {
  const { id, packName, stated, what, state, canCancelWithdrawal, refusalReason } = withdrawal;
  const form = useNavigation().formData;
  const isPending = form?.get("intent") === "take-back" && form.get("withdrawalId") === id;
  return (
    <li className="grid gap-3 p-4">
      <div className="flex items-center justify-between gap-3">
        <div>
          <p className="font-semibold">{packName}</p>
          <p className="text-sm text-muted tabular-nums">
            {stated} · {what}
          </p>
        </div>
        <Badge tone={STATES[state].tone}>{STATES[state].name}</Badge>
      </div>
      {refusalReason && (
        <p className="[overflow-wrap:anywhere] whitespace-pre-line">{refusalReason}</p>
      )}
      {canCancelWithdrawal && (
        <Form method="post" preventScrollReset>
          <input type="hidden" name="intent" value="take-back" />
          <input type="hidden" name="withdrawalId" value={id} />
          <Button pending={isPending} pendingLabel="Taking back…" className="max-md:w-full">
            Take back<span className="sr-only"> the withdrawal from {packName}</span>
          </Button>
        </Form>
      )}
    </li>
  );
}

const STATES: Record<WithdrawalState, { name: string; tone: BadgeTone }> = {
  waiting: { name: "Waiting", tone: "sky" },
  "paid-back": { name: "Paid back", tone: "green" },
  refused: { name: "Refused", tone: "red" },
  "taken-back": { name: "Taken back", tone: "neutral" },
};
