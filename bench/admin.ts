import { compareAtScale, loadRows } from "./scale.ts";
import { idOf, PLAYER, sqlIdOf, type World } from "./world.ts";

const PAGES = [
  ...["/admin", "/admin?weeks=52", "/admin/overview/games.csv"],
  ...["/admin/partners", "/admin/games", "/admin/games?when=past", "/admin/legal"],
  ...["/admin/venues", "/admin/players", "/admin/players?q=player+no", "/admin/packs"],
  ...["/admin/payments", "/admin/inbox", "/admin/log"],
];

/** The desk's overview and lists on a database with a hundred times the rows. */
export function benchAdmin(dataDir: string): Promise<void> {
  return compareAtScale(dataDir, {
    title: "The desk with 100,000 games, 1,000,000 bookings, 100,000 players",
    pages: PAGES,
    toReach: "–",
    prepare: makeAdmin,
    fillMore: fillPapers,
  });
}

async function makeAdmin({ pool }: World): Promise<void> {
  await pool.query("insert into user_roles (user_id, role) values ($1, 'admin')", [
    idOf(PLAYER, 0),
  ]);
}

const EACH = 100_000;

/** What those players have left on the desk in 1,500 days: they came, paid, wrote and rated. */
async function fillPapers({ dataDir }: World): Promise<void> {
  const player = sqlIdOf(PLAYER, `1000 + n % ${EACH}`);
  const at = "now() - n % 1500 * interval '1 day'";
  const some = `from generate_series(1, ${EACH}) n`;
  await loadRows(dataDir, [
    `update profiles set created_at = now() - random() * interval '1500 days'`,
    `update wallet_transactions set created_at = now() - random() * interval '1500 days'`,
    `update bookings set attendance = case when random() < 0.05 then 'NoShow' else 'CheckedIn' end
     where id >= ${sqlIdOf("c", "1")}`,
    `insert into wallet_transactions (user_id, type, amount_eur, business_key, created_at)
     select ${player}, 'deduction', -10, 'bench:' || n, ${at} from generate_series(1, 1000000) n`,
    `insert into payments (stripe_object_id, user_id, pack_id, amount_eur, credits_eur, created_at)
     select 'cs_bench_' || n, ${player}, (select id from credit_packs limit 1), 9.99, 10, ${at}
     ${some}`,
    `insert into support_messages (user_id, subject, message, created_at)
     select ${player}, 'Shoes', 'I left them in the hall.', ${at} ${some}`,
    `insert into reviews (user_id, rating, created_at) select ${player}, 1 + n % 5, ${at} ${some}`,
    `insert into audit_log (actor, action, subject, created_at)
     select '${idOf(PLAYER, 0)}', 'edit-game', 'game:' || n, ${at} ${some}`,
    "vacuum full bookings, profiles, wallet_transactions",
    "vacuum analyze",
  ]);
}
