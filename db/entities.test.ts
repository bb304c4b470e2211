import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";

const database = useDatabase();

/** What the specification names in each table; there may be more. */
const SPECIFIED_COLUMNS: Record<string, string[]> = {
  profiles: [
    ...["user_id", "first_name", "last_name", "date_of_birth", "email", "school_year", "major"],
    ...["phone", "sports_interests", "join_message_posted", "position", "nationality"],
    ...["nationality_code", "profile_picture_url", "wallet_balance_eur", "is_down_to_play"],
  ],
  user_roles: ["user_id", "role"],
  games: [
    ...["id", "title", "description", "sport", "date", "start_time", "end_time", "status"],
    ...["max_players", "game_format", "is_outdoor", "venue_id", "price_eur"],
    "is_first_session_free",
  ],
  venues: ["id", "name", "city", "address", "description", "maps_url", "website", "photo_urls"],
  bookings: ["id", "user_id", "game_id", "payment_status", "created_at"],
  credit_packs: [
    ...["id", "pack_key", "pack_name", "price_eur", "total_credit_eur", "is_active"],
    "stripe_checkout_link",
  ],
  wallet_transactions: ["id", "user_id", "type", "amount_eur", "status", "notes", "created_at"],
  partners: ["id", "logo_url", "website_url", "is_active", "sort_order", "created_at"],
  legal_pages: ["page_type", "title", "content"],
  monthly_game_progress: ["games_completed", "reward_claimed", "month_year"],
};

interface Column {
  column_name: string;
  data_type: string;
  is_nullable: string;
  column_default: string | null;
}

async function columnsOf(table: string): Promise<Map<string, Column>> {
  const { rows } = await database.pool.query<Column>(
    `select column_name, data_type, is_nullable, column_default
     from information_schema.columns where table_schema = 'public' and table_name = $1`,
    [table],
  );
  return new Map(rows.map((column) => [column.column_name, column]));
}

// spec: 3.1, 3.6, 3.10, 3.15, 3.17, 3.19, 3.21, 3.23, 3.24, 3.28
test.each(Object.entries(SPECIFIED_COLUMNS))(
  "%s has the fields it is known by",
  async (table, fields) => {
    const columns = await columnsOf(table);
    expect(fields.filter((field) => !columns.has(field))).toEqual([]);
    const amounts = [...columns.values()].filter(({ column_name }) => column_name.endsWith("_eur"));
    expect(amounts.filter(({ data_type }) => data_type !== "numeric")).toEqual([]);
  },
);

// spec: 3.2, 3.11, 3.15
test("dates are dates, times are times, lists are lists", async () => {
  const [profiles, games, venues] = await Promise.all(
    ["profiles", "games", "venues"].map(columnsOf),
  );
  const types = [
    profiles!.get("date_of_birth"),
    games!.get("date"),
    games!.get("start_time"),
    games!.get("end_time"),
    profiles!.get("sports_interests"),
    venues!.get("photo_urls"),
  ].map((column) => column?.data_type);
  const time = "time without time zone";
  expect(types).toEqual(["date", "date", time, time, "ARRAY", "ARRAY"]);
});

// spec: 3.3, 3.4, 3.13, 9.31
test("what is empty, false or nothing at creation is so by the table", async () => {
  const [profiles, games] = await Promise.all([columnsOf("profiles"), columnsOf("games")]);
  expect(profiles!.get("sports_interests")?.column_default).toMatch(/^'\{\}'/);
  expect(profiles!.get("join_message_posted")?.column_default).toBe("false");
  expect(profiles!.get("phone")).toMatchObject({ is_nullable: "YES", column_default: null });
  expect(games!.get("game_format")?.column_default).toMatch(/^'5v5'/);
});
