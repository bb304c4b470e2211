import { listEntries } from "../../features/wallet/statement.server.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { appContext } from "../context.server.ts";
import { requirePlayer } from "../guards.server.ts";
import { pageMeta, siteOf } from "../meta.ts";
import { balanceWords } from "../wallet/balance-words.ts";
import { showEntry } from "../wallet/entry-words.ts";
import { HISTORY_LENGTH, WalletHistory } from "../wallet/wallet-history.tsx";
import type { Route } from "./+types/show";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const viewer = await requirePlayer(context, request, { to: "/" });
  const entries = await listEntries(db, { userId: viewer.userId, limit: HISTORY_LENGTH });
  return {
    name: `${viewer.firstName} ${viewer.lastName}`.trim(),
    profilePictureUrl: viewer.profilePictureUrl,
    balance: balanceWords(viewer),
    entries: entries.map(showEntry),
  };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Profile", noindex: true });

export default function Profile({ loaderData }: Route.ComponentProps) {
  const { name, profilePictureUrl, balance, entries } = loaderData;
  return (
    <div className="mx-auto grid max-w-3xl gap-8 px-4 pt-6">
      <header className="flex items-center gap-4">
        <Avatar size="lg" src={profilePictureUrl} name={name} />
        <div className="min-w-0">
          <h1 className="text-xl">{name}</h1>
          <p className="text-muted tabular-nums">
            {balance.credits} · {balance.games}
          </p>
        </div>
      </header>
      <section aria-labelledby="wallet-history">
        <div className="mb-3 flex items-center justify-between gap-4">
          <h2 id="wallet-history" className="text-lg">
            Wallet history
          </h2>
          <ButtonLink to="/wallet">Full statement</ButtonLink>
        </div>
        <WalletHistory entries={entries} />
      </section>
    </div>
  );
}
