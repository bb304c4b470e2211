import assert from "node:assert/strict";
import Stripe from "stripe";
import { checkoutSession, event } from "#app/routes/demo/stripe-objects.ts";
import { type Client, createClient, ORIGIN } from "./client.ts";
import type { Outside } from "./outside.ts";

const PASSWORD = "Corner-flag-27";

/** Signs up; the address is confirmed by the link in the email. */
export async function signUp(ca: string, { mails }: Outside, email: string, confirm = true) {
  const client = createClient(ca);
  const { status, body } = await client.post("/auth", {
    ...{ intent: "sign-up", email, password: PASSWORD },
    ...{ firstName: "Aino", lastName: "Example", dateOfBirth: "2001-05-17" },
    ...{ schoolYear: "Master", major: "Physics" },
  });
  assert.equal(status, 200, body);
  const link = await mails.linkTo(email);
  if (!confirm) return { client, link };
  await confirmAddress(client, link);
  return { client, link };
}

export async function confirmAddress(client: Client, link: string) {
  const { pathname, search, searchParams } = new URL(link);
  const token = searchParams.get("token") ?? "";
  const confirmed = await client.post(pathname + search, { token });
  assert.equal(confirmed.status, 302, confirmed.body);
}

/** An organiser's venue and game, tomorrow week. */
export async function addGame(admin: Client): Promise<string> {
  const venue = { name: "Otaniemi Sports Hall", city: "Espoo", address: "Otaranta 6" };
  const added = await admin.post(
    "/admin/venues/new",
    await filled(admin, "/admin/venues/new", venue),
  );
  assert.equal(added.status, 302, added.body);
  const { body } = await admin.get("/admin/games/new");
  const venueId = /<option value="([0-9a-f-]{36})"[^>]*>[^<]*Otaniemi/.exec(body)?.[1];
  assert.ok(venueId, "the game's form offers the venue");
  const date = new Date(Date.now() + 8 * 86_400_000).toISOString().slice(0, 10);
  const game = await filled(admin, "/admin/games/new", {
    ...{ intent: "publish", title: "First game", sport: "Football", date },
    ...{ startTime: "18:00", endTime: "19:30", venueId, maxPlayers: "10", gameFormat: "5v5" },
    ...{ surroundings: "indoor", priceEur: "10", weeks: "1" },
  });
  const created = await admin.post("/admin/games/new", game);
  assert.equal(created.status, 302, created.body);
  return created.location.split("/").pop()!;
}

/** What the page's form would send for a new row: its hidden fields, and what is typed. */
async function filled(client: Client, path: string, typed: Record<string, string>) {
  const { status, body } = await client.get(path);
  assert.equal(status, 200, body.slice(0, 300));
  const hidden = body.matchAll(/<input type="hidden"[^>]*?name="(\w+)"[^>]*?value="([^"]*)"/g);
  return { ...Object.fromEntries([...hidden].map(([, name, value]) => [name!, value!])), ...typed };
}

/** Buys a pack at the fake Stripe, whose event comes through the proxy. */
export async function buyCredits(player: Client, { stripe }: Outside, secret: string) {
  const { body } = await player.post("/wallet", { intent: "buy-credits" });
  const chosen = /<input(?=[^>]*name="packId")(?=[^>]*checked)[^>]*value="([0-9a-f-]{36})"/;
  const packId = chosen.exec(body)?.[1];
  assert.ok(packId, "the wallet offers packs");
  const checkout = await player.post("/checkout", { packId });
  const reference = new URL(checkout.location).searchParams.get("client_reference_id");
  const links = [...stripe.objects.values()].filter(({ object }) => object === "payment_link");
  const link = links.find(({ metadata }) => {
    return (metadata as Record<string, string>).pack_key === "pay_per_game";
  });
  const session = checkoutSession({
    ...{ client_reference_id: reference, payment_link: String(link?.id) },
  });
  stripe.objects.set(session.id, { ...session });
  const payload = JSON.stringify(event("checkout.session.completed", session));
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret });
  const headers = { "Content-Type": "application/json", "Stripe-Signature": header };
  const { status } = await player.send("/webhooks/stripe", payload, headers);
  assert.equal(status, 200);
}

export async function joinGame(player: Client, gameId: string) {
  const joined = await player.post(`/events/${gameId}`, { intent: "join", priceShown: "10" });
  assert.ok([200, 302].includes(joined.status), `${joined.status} ${joined.body.slice(0, 300)}`);
  const { body } = await player.get("/bookings");
  const text = body.replaceAll(/<script[^]*?<\/script>|<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  assert.match(text, /Otaniemi Sports Hall/);
  process.stdout.write(`  booked: ${ORIGIN}/events/${gameId}\n`);
}
