import type { Db } from "#app/platform/db.server.ts";

interface Deployment {
  brandName: string;
  companyName: string;
  contactEmail: string;
  universityName: string;
}

/** From the rules of other features, which this one does not import. */
interface Rules {
  cancellationPolicy: string[];
  minimumAge: number;
  creditsPerGame: string;
  /** How long refunded credits of an ended plan month can still be used. */
  revivedDays: number;
  withdrawalDays: number;
}

/** Stores the default legal texts where none are stored yet, as plain text with line breaks. */
export async function storeDefaultTexts(db: Db, site: Deployment, rules: Rules): Promise<void> {
  const terms = [
    ...beginning(site, rules),
    ...games(rules),
    ...rights(site, rules),
    ...conduct(site),
    ...ending(site),
  ].join("\n\n");
  const privacy = [...stored(site), ...handled(site)].join("\n\n");
  await db
    .insertInto("legal_pages")
    .values([
      { page_type: "terms", title: "Terms & Conditions", content: terms },
      { page_type: "privacy", title: "Privacy Policy", content: privacy },
    ])
    .onConflict((conflict) => conflict.column("page_type").doNothing())
    .execute();
}

function beginning(
  { brandName, companyName, contactEmail, universityName }: Deployment,
  rules: Rules,
): string[] {
  return [
    `${brandName} is run by ${companyName} ("we") for students of ${universityName}. By signing ` +
      "up you agree to these terms. They are a contract between you and us.\n" +
      `Contact: ${contactEmail}, or Contact support in the settings.`,
    "1. Your account\n" +
      `You sign up with your school email and are at least ${rules.minimumAge} years old. What ` +
      "you tell about yourself is true. The account is yours alone: keep the password to " +
      "yourself, and tell us when somebody else has used it. You can delete the account at any " +
      "time in the settings.",
    "2. Credits and prices\n" +
      "Games are paid with credits from your wallet. 1 credit is worth 1 euro; a game costs " +
      `${rules.creditsPerGame} credits unless its page says otherwise. Prices are in euros and ` +
      "include value added tax (VAT). You pay through our payment provider, Stripe; we never see " +
      "your card. Credits arrive when Stripe has confirmed the payment, and they cannot be given " +
      "to somebody else or exchanged for money, except where these terms or the law say so.\n" +
      "Credits that you buy singly, earn or get back do not expire. Credits of a monthly plan " +
      "can be used until its month ends; what is left is replaced when the plan renews and " +
      "lapses when it has ended. What comes back to a month that is over can be used for " +
      `${rules.revivedDays} more days. Credits that expire first are spent first.`,
  ];
}

function games(rules: Rules): string[] {
  return [
    "3. Monthly plans\n" +
      "A plan renews every month at the price at which you began it, until you cancel. You can " +
      "cancel at any time in your wallet, under Manage subscription; the plan then ends with the " +
      "month that is paid for, and its credits can be used until then. If a price is to change, " +
      "we tell you at least 30 days before, and you can cancel.",
    "4. Joining and cancelling a game\n" +
      "With your booking you have a spot, at the price and under the rule that it was sold:\n" +
      list(rules.cancellationPolicy) +
      "\nYou cancel under My Games, which says what you get back before you confirm. A free first " +
      "session can be had once, and once for each email address.",
    "5. When the organiser cancels\n" +
      "You get everything back that you paid for the game, as credits, whatever the hour, and a " +
      "message that says so. A game may move to another pitch or time for good reason; if that " +
      "does not suit you, tell us before it begins and you get your credits back.",
  ];
}

function rights({ contactEmail }: Deployment, { withdrawalDays }: Rules): string[] {
  return [
    "6. Right of withdrawal\n" +
      `As a consumer you may withdraw from a purchase of credits within ${withdrawalDays} days, ` +
      "without giving a reason, as far as its credits are unused. The period begins on the day " +
      "after the purchase. It is enough to send your statement before it ends:\n" +
      list([
        "online, in two steps: Settings, Withdraw from a purchase, then Confirm withdrawal; or",
        `by email to ${contactEmail}, saying which purchase you withdraw from.`,
      ]) +
      "\nWe acknowledge it by email at once, and refund the unused part of the price within 14 " +
      "days, to the means of payment that you used, at no cost to you. The credits leave your " +
      "wallet with your statement; until the refund is made you can take the statement back and " +
      "have them again. By spending credits you ask us to perform at once, and agree that the right ends for what you spent.\n" +
      "A booking of a game is a leisure service on a fixed date: the law knows no right of " +
      "withdrawal for it. Section 4 applies instead.",
    "7. Refunds and chargebacks\n" +
      "When a payment is refunded, or your bank takes it back, its credits are taken back too. " +
      "Those that are spent already are owed: until they are settled, you cannot join games, " +
      "and credits that arrive settle them first. What you owe stays with your email address " +
      "when you delete your account. When a dispute ends in our favour, you get " +
      "them again. If you do not recognise a payment, please write to us first; it is faster.",
  ];
}

function conduct({ brandName }: Deployment): string[] {
  return [
    "8. On the pitch\n" +
      "Play fair, come in time, respect each other, the referee and the venue's rules. No " +
      "violence, no harassment, no discrimination, no alcohol or drugs. We may exclude who " +
      "endangers or insults others, from a game or for good; who is excluded for good may ask " +
      "for unused bought credits to be refunded.",
    "9. Health and liability\n" +
      "Football is a contact sport. You decide whether you are fit to play, and you play at your " +
      "own risk; we recommend an accident insurance. We are liable for damage that we cause " +
      "intentionally or by negligence, as the law says, and for lost credits as far as they were " +
      "yours. We are not liable for what other players do, nor for things left at a venue. " +
      "Nothing here limits rights that the law gives to consumers.",
    "10. The service\n" +
      `We keep ${brandName} running with care, but it may be down for maintenance or faults. If ` +
      "that keeps you from cancelling in time, tell us. What you write or upload must be yours " +
      "and lawful; we may remove what is not.",
  ];
}

function ending({ companyName, contactEmail }: Deployment): string[] {
  return [
    "11. Changes\n" +
      "We may change these terms for good reason. We tell you by email at least 30 days before; " +
      "if you do not agree, delete your account, and we refund unused bought credits. A booking " +
      "keeps the rule under which it was sold.",
    "12. Complaints\n" +
      `If something is wrong, write to ${contactEmail}; we answer within 14 days. If we do not ` +
      "agree, you can ask the Consumer Advisory Service (kuluttajaneuvonta.fi) for help and take " +
      "the matter to the Consumer Disputes Board (kuluttajariita.fi), or to the district court " +
      "of your home. In another EU country, its European Consumer Centre helps.",
    "13. Law\n" +
      `${companyName} is based in Finland and Finnish law applies; you keep the protection of the ` +
      "consumer law of the country you live in.",
  ];
}

function stored({ brandName, companyName, contactEmail }: Deployment): string[] {
  return [
    `This policy tells what ${brandName} stores about you and why.\n` +
      `Controller: ${companyName}. Contact for privacy matters: ${contactEmail}.`,
    "1. What we store, why, and on what ground\n" +
      list([
        "Account: name, school email, date of birth, year of study, major, phone number if you " +
          "give it, and your password as a hash. To run your account and to see that you are old " +
          "enough and a student. Ground: our contract with you.",
        "Profile: picture, position, nationality, sports interests, as far as you give them. To " +
          "show other players who plays. Ground: our contract with you; you can remove them.",
        "Games: what you joined and cancelled, with the reason if you gave one. Ground: our " +
          "contract with you.",
        "Wallet and payments: credits, what they were bought with and spent on, ids of payments, " +
          "customers and subscriptions at Stripe. Ground: our contract with you, and the " +
          "Accounting Act. Your card is known to Stripe alone.",
        "Messages, reviews and withdrawals that you send us. To answer, to improve, and to prove " +
          "that we did. Ground: our legitimate interest, and consumer law.",
        "Sessions, with the name and version that your browser gives of itself, the secret of " +
          "two-factor sign-in if you set it up, counts of failed sign-ins and of requests per " +
          "network address (the address as a keyed hash), and a log of sign-ins (your email as a " +
          "keyed hash). To keep you signed in, show you where, and keep others out. Ground: our legitimate interest in security.",
      ]) +
      "\nWithout the account data we cannot make the contract. Nothing is decided about you by " +
      "profiling, and we do not sell data or show advertisements.",
  ];
}

function handled({ contactEmail }: Deployment): string[] {
  return [
    "2. Who gets it\n" +
      list([
        "Players who are signed in see your name and picture in the games you join, and your " +
          "public profile: year of study, major, interests, position, nationality and how many " +
          "games you played. Visitors see only how many play. A player card that you share is " +
          "seen by anyone who has its address, until you stop sharing it.",
        "Organisers see who plays, and what they need to answer you.",
        "Stripe gets what a payment needs, as a controller of its own (stripe.com/privacy). Our " +
          "email provider and our hosting provider process data for us, under contract.",
        "Authorities, where the law obliges us.",
      ]) +
      "\nIf a provider handles data outside the EU, it does so under the Commission's standard " +
      "contractual clauses or an adequacy decision.",
    "3. How long\n" +
      list([
        "Sign-ups that nobody confirms: 30 days.",
        "Account, profile, messages and reviews: until you delete your account. What organisers " +
          "write to the players of a game: for a year.",
        "Bookings, ledger, payments and withdrawals: for six years after the end of the year, as " +
          "the Accounting Act says; once the account is deleted, without your name.",
        "That a deleted account had its free first session: for a year, as a keyed hash of its " +
          "email address, so that nobody gets it twice. Ground: our legitimate interest.",
        "What a deleted account owes or, after a chargeback, comes to owe: as a keyed hash of its " +
          "email address, so that a new account does not escape it. For 18 months, as long as " +
          "banks take payments back; where something is owed, until it is settled, at most for " +
          "three years after the deletion. Ground: our legitimate interest in being paid.",
        "Sessions: 30 days after their last use, 90 days at most; organisers' 12 hours after " +
          "their last use. The secret of two-factor sign-in: until you turn it off. Counts of " +
          "failed sign-ins: a day or little longer. Email jobs: about an hour after they are done, " +
          "undelivered ones 30 days. Backups " +
          "and logs: 90 days at most.",
      ]),
    "4. Cookies\n" +
      "Only those that the service needs: one keeps you signed in, one knows a browser that has " +
      "signed in before (for a year), one the browser that signs up (for a day), one waits for " +
      "the code of a two-factor sign-in (ten minutes), one carries a message to the next page, one remembers where a " +
      "purchase began. No other site's cookies, no tracking.",
    "5. Your rights\n" +
      "You may see, correct, delete and take your data with you, restrict its use, and object to " +
      "use on the ground of legitimate interest. Most of it you do yourself: edit your profile, " +
      `Download my data and Delete my account in the settings. For the rest write to ` +
      `${contactEmail}; we answer within a month. You can also complain to the Data Protection ` +
      "Ombudsman (tietosuoja.fi) or to the authority where you live.",
    "6. Changes\nWhen this policy changes in substance, we tell you by email before.",
  ];
}

function list(items: string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}
