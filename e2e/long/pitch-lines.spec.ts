import { expect, test } from "../fixtures.ts";
import { findGames } from "../games.ts";
import { linesThroughText } from "../layout.ts";

const SIZES = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
];
const OPEN = ["/", "/auth", "/auth?tab=sign-up", "/auth/forgot", "/venues", "/venues?city=Turku"];
const PLAIN = ["/terms", "/privacy", "/accessibility", "/offline", "/nowhere", "/events/none"];
const SANDBOX = ["/demo/checkout/pay_per_game", "/demo/checkout/monthly_8"];
const OWN = ["/events", "/events?outdoor=1&city=Espoo", "/bookings", "/wallet", "/profile"];

test("no line of a pitch runs through a text", async ({ page, signIn, database }) => {
  const { joined } = await findGames(database.db);
  const look = async (paths: string[]) => {
    for (const path of paths) {
      await page.goto(path);
      for (const size of SIZES) {
        await page.setViewportSize(size);
        const touched = await page.evaluate(linesThroughText);
        expect.soft(touched, `${path} at ${size.width} px`).toEqual([]);
      }
    }
  };
  await look([...OPEN, ...PLAIN, ...SANDBOX]);
  await signIn("player");
  await look([...OWN, `/events/${joined}`]);
  const other = page.getByRole("main").locator('a[href^="/profile/"]').last();
  await look([(await other.getAttribute("href")) ?? ""]);
  await signIn("broke");
  await look(["/bookings", "/wallet", "/profile", "/admin"]);
});
