import { expect, test, describe } from "vitest";
import {
  asksAgain,
  checkLink,
  disputeStage,
  expiryOfLateCredits,
  gamesAvailable,
  isMoneyGone,
  isRunning,
  isMonthly,
  reclaimTarget,
  checkoutUrl,
  isPaymentLink,
  transactionName,
} from "./rules.ts";

// spec: 9.2
test.each([
  [0, 0],
  [999, 0],
  [1_000, 1],
  [1_901, 1],
  [12_345, 12],
])("%i cents pay for %i games", (cents, games) => {
  expect(gamesAvailable(cents)).toBe(games);
});

test.each([
  ["nothing back", { returnedCents: 0 }, 0],
  ["half, rounded down", { returnedCents: 500 }, 500],
  ["all but a cent", { returnedCents: 998 }, 998],
  ["all", { returnedCents: 999 }, 1_000],
  ["more than was paid", { returnedCents: 5_000 }, 1_000],
  ["all, of which some had lapsed", { returnedCents: 999, lapsedCents: 400 }, 600],
  ["taken before it lapsed", { returnedCents: 999, lapsedCents: 400, reclaimedCents: 900 }, 900],
  ["a dispute that was won", { returnedCents: 0, lapsedCents: 400, reclaimedCents: 900 }, 0],
])("taken back: %s", (_, facts, expected) => {
  const payment = { amountCents: 999, creditsCents: 1_000, lapsedCents: 0, reclaimedCents: 0 };
  expect(reclaimTarget({ ...payment, ...facts })).toBe(expected);
});

test.each([
  ["warning_needs_response", 0, false],
  ["warning_under_review", 0, false],
  ["needs_response", 1, true],
  ["under_review", 1, true],
  ["won", 2, false],
  ["lost", 2, true],
  ["warning_closed", 2, false],
  ["prevented", 2, false],
])("a dispute that is %s: stage %i, money gone: %s", (status, stage, isGone) => {
  expect([disputeStage(status), isMoneyGone(status)]).toEqual([stage, isGone]);
});

test("late credits last a week, timely ones as long as their month", () => {
  const now = new Date("2026-11-21T10:00:00Z");
  const at = (day: string) => new Date(`2026-${day}T10:00:00Z`);
  expect(expiryOfLateCredits(at("12-21"), now)).toEqual(at("12-21"));
  expect(expiryOfLateCredits(at("11-28"), now)).toEqual(at("11-28"));
  expect(expiryOfLateCredits(at("11-22"), now)).toEqual(at("11-28"));
  expect(expiryOfLateCredits(at("01-01"), now)).toEqual(at("11-28"));
});

const STRIPE = "https://buy.stripe.com/";
const USER = "6e1f0d52-8a3e-4a44-9d3c-0f3e0d7a1b11";

describe("a payment link", () => {
  test.each([
    ["https://buy.stripe.com/test_abc123", STRIPE],
    ["https://buy.stripe.com/14k3cAbXY", STRIPE],
    ["https://buy.stripe.com/a?locale=fi", STRIPE],
    ["https://buy.stripe.com/a?locale=fi#top", STRIPE],
    ["https://buy.stripe.com/a?email=a%40b.example", STRIPE],
    ["HTTPS://BUY.STRIPE.COM/a", STRIPE],
    ["https://buy.stripe.com:443/a", STRIPE],
    ["https://buy.stripe.com/a", "https://buy.stripe.com"],
    ["http://localhost:3000/demo/checkout/monthly_4", "http://localhost:3000/demo/checkout/"],
    ["http://localhost:3001/demo/checkout/a", "/demo/checkout/"],
    ["http://127.0.0.1:3000/demo/checkout/a", "http://127.0.0.1:3000/demo/checkout"],
    ["http://[::1]:3000/demo/checkout/a", "http://[::1]:3000/demo/checkout/"],
    ["https://pay.kick.example/link", "https://pay.kick.example/link"],
    ["https://pay.kick.example/link/1", "https://pay.kick.example/link"],
  ])("%j is one of %s", (link, prefix) => {
    expect(isPaymentLink(link, prefix)).toBe(true);
  });

  test.each([
    ["nothing", null],
    ["empty", ""],
    ["blank", " "],
    ["no text", 42],
    ["a list of one", ["https://buy.stripe.com/a"]],
    ["words", "buy now"],
    ["a path", "/a"],
    ["the prefix alone", "https://buy.stripe.com/"],
    ["the origin alone", "https://buy.stripe.com"],
    ["without TLS", "http://buy.stripe.com/a"],
    ["protocol-relative", "//buy.stripe.com/a"],
    ["backslashes for slashes", "https:\\\\buy.stripe.com\\a"],
    ["a backslash before another host", "https://evil.example\\buy.stripe.com/a"],
    ["a backslash after the host", "https://buy.stripe.com\\@evil.example/a"],
    ["a backslash in the path", "https://buy.stripe.com/a\\..\\b"],
    ["one slash", "https:/buy.stripe.com/a"],
    ["no slash", "https:buy.stripe.com/a"],
    ["three slashes", "https:///buy.stripe.com/a"],
    ["the host as a user", "https://buy.stripe.com@evil.example/a"],
    ["the host as a user with a password", "https://buy.stripe.com:443@evil.example/a"],
    ["a user at the host", "https://user@buy.stripe.com/a"],
    ["a user and password at the host", "https://user:pass@buy.stripe.com/a"],
    ["an empty user at the host", "https://@buy.stripe.com/a"],
    ["a longer host", "https://buy.stripe.com.evil.example/a"],
    ["a subdomain", "https://a.buy.stripe.com/a"],
    ["a sibling", "https://checkout.stripe.com/a"],
    ["a host that ends alike", "https://evilbuy.stripe.com/a"],
    ["a dot at the end of the host", "https://buy.stripe.com./a"],
    ["another port", "https://buy.stripe.com:8443/a"],
    ["the port of another protocol", "https://buy.stripe.com:80/a"],
    ["a Cyrillic character", "https://buy.stripе.com/a"],
    ["its punycode", "https://buy.xn--strip-yue.com/a"],
    ["wide characters", "https://ｂuy.stripe.com/a"],
    ["an ideographic full stop", "https://buy。stripe.com/a"],
    ["a soft hyphen", "https://buy.str\u00adipe.com/a"],
    ["an escaped dot in the host", "https://buy%2estripe.com/a"],
    ["an escaped slash in the host", "https://buy.stripe.com%2f@evil.example/a"],
    ["a tab in the protocol", "ht\ttps://evil.example/https://buy.stripe.com/a"],
    ["a tab in the host", "https://buy.stripe\t.com/a"],
    ["a newline in the path", "https://buy.stripe.com/a\nb"],
    ["a header in the path", "https://buy.stripe.com/a\r\nSet-Cookie: a=b"],
    ["a NUL", "https://buy.stripe.com/a\0"],
    ["a blank before it", " https://buy.stripe.com/a"],
    ["a blank after it", "https://buy.stripe.com/a "],
    ["a newline after it", "https://buy.stripe.com/a\n"],
    ["the host in the path", "https://evil.example/https://buy.stripe.com/a"],
    ["the host in the query", "https://evil.example/?https://buy.stripe.com/a"],
    ["the host in the fragment", "https://evil.example/#https://buy.stripe.com/a"],
    ["the host after a question mark", "https://evil.example?.buy.stripe.com/a"],
    ["a script", "javascript:alert(1)//https://buy.stripe.com/a"],
    ["a data address", "data:text/html,https://buy.stripe.com/a"],
    ["a file", "file://buy.stripe.com/a"],
    ["a socket", "wss://buy.stripe.com/a"],
  ])("%s is none", (_, link) => {
    expect(isPaymentLink(link, STRIPE)).toBe(false);
  });

  const folder = "https://kick.example/demo/checkout/";
  test.each([
    ["the folder itself", folder, folder],
    ["beside the folder", "https://kick.example/demo/other", folder],
    ["a folder that begins alike", "https://kick.example/demo/checkouts/a", folder],
    [
      "and without a slash in the prefix",
      "https://kick.example/payment/a",
      "https://kick.example/pay",
    ],
    ["up", "https://kick.example/demo/checkout/../a", folder],
    ["up, escaped", "https://kick.example/demo/checkout/%2e%2e/a", folder],
    ["up by an escaped slash", "https://kick.example/demo/checkout/..%2f..%2fa", folder],
    ["up, escaped twice", "https://kick.example/demo/checkout/%252e%252e/a", folder],
    ["other capitals", "https://kick.example/DEMO/checkout/a", folder],
    ["an empty segment", "https://kick.example//demo/checkout/a", folder],
  ])("out of its folder: %s", (_, link, prefix) => {
    expect(isPaymentLink(link, prefix)).toBe(false);
  });
});

describe("the way to checkout", () => {
  const to = (link: string | null, email = "ada@uni.example") =>
    checkoutUrl({ link, prefix: STRIPE, userId: USER, email });

  test("carries the player and the email", () => {
    expect(to("https://buy.stripe.com/a")).toBe(
      `https://buy.stripe.com/a?client_reference_id=${USER}&prefilled_email=ada%40uni.example`,
    );
  });

  test("an email with special characters arrives unchanged", () => {
    const email = "o'neil+kick&x=1#ä@uni.example";
    expect(
      new URL(to("https://buy.stripe.com/a", email)!).searchParams.get("prefilled_email"),
    ).toBe(email);
  });

  test("keeps what else the link says, and says these two once", () => {
    const link =
      "https://buy.stripe.com/a?locale=fi&client_reference_id=other&prefilled_email=x&client_reference_id=more#f";
    const url = new URL(to(link)!);
    expect(url.searchParams.get("locale")).toBe("fi");
    expect(url.searchParams.getAll("client_reference_id")).toEqual([USER]);
    expect(url.searchParams.getAll("prefilled_email")).toEqual(["ada@uni.example"]);
    expect(url.hash).toBe("#f");
  });

  test("below a path it is that path, whatever address it was made for", () => {
    const link = "http://localhost:3001/demo/checkout/a";
    const payer = { prefix: "/demo/checkout/", userId: USER, email: "ada@uni.example" };
    expect(checkoutUrl({ link, ...payer })).toBe(
      `/demo/checkout/a?client_reference_id=${USER}&prefilled_email=ada%40uni.example`,
    );
    expect(checkoutUrl({ link: "http://localhost:3001/demo/outbox", ...payer })).toBeNull();
    expect(
      checkoutUrl({ link: "http://k.example//evil.example/demo/checkout/a", ...payer }),
    ).toBeNull();
  });

  test.each([null, "", "https://evil.example/a"])("%j leads nowhere", (link) => {
    expect(to(link)).toBeNull();
  });

  test.each(["", "a b", "a&b", "ä", "x".repeat(201)])("the reference %j throws", (userId) => {
    const checkout = { link: `${STRIPE}a`, prefix: STRIPE, userId, email: "ada@uni.example" };
    expect(() => checkoutUrl(checkout)).toThrow("not a reference");
  });
});

describe("a pack's link is", () => {
  const sold = { checkoutLink: `${STRIPE}1`, priceId: "price_1", paymentLinkId: "plink_1" };
  const facts = { isSet: true, isBelowPrefix: true, hasPriceId: true, hasLinkId: true };
  test.each([
    ["ready", {}, {}],
    ["missing", { checkoutLink: null }, { isSet: false, isBelowPrefix: false }],
    ["elsewhere", { checkoutLink: "https://evil.example/1" }, { isBelowPrefix: false }],
    ["unmatched", { priceId: null }, { hasPriceId: false }],
    ["unmatched", { paymentLinkId: null }, { hasLinkId: false }],
    ["sandbox", { paymentLinkId: "plink_demo_x" }, {}],
  ])("%s where it has %j", (state, given, wrong) => {
    expect(checkLink({ ...sold, ...given }, STRIPE)).toEqual({ ...facts, state, ...wrong });
  });
});

test.each([
  ["pay_per_game", false],
  ["monthly_4", true],
  ["term", true],
  ["any_amount", false],
])("the pack %s is a monthly subscription: %s", (key, expected) => {
  expect(isMonthly(key)).toBe(expected);
});

test.each([
  ["topup", "Credit Top-up"],
  ["deduction", "Game Payment"],
  ["refund", "Refund"],
  ["expiry", "Transaction"],
] as const)("a transaction of type %s is called %s", (type, name) => {
  expect(transactionName(type)).toBe(name);
});

test.each([
  ["up to 100 credits", 10_000, 0, false],
  ["a cent more than 100", 10_001, 0, true],
  ["100 credits taken", -10_000, 20_000, false],
  ["more than 100 taken, all of them", -10_001, 10_001, true],
  ["more than there are", -10_001, 10_000, false],
  ["a little from much", -1, 90_000, false],
])("a correction is confirmed: %s (%i cents, balance %i): %s", (_, amount, balance, expected) => {
  expect(asksAgain(amount, balance)).toBe(expected);
});

test.each([
  ["active", true],
  ["trialing", true],
  ["past_due", true],
  ["canceled", false],
  ["unpaid", false],
  ["incomplete", false],
])("a subscription that is %s runs: %s", (status, expected) => {
  expect(isRunning(status)).toBe(expected);
});
