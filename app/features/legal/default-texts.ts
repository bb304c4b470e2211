export interface Deployment {
  brandName: string;
  companyName: string;
  contactEmail: string;
  universityName: string;
}

/** The Terms that a new deployment starts with; plain text, line breaks kept. */
export function defaultTerms(site: Deployment, cancellationPolicy: string[]): string {
  return paragraphs([
    `${site.brandName} is run by ${site.companyName} for students of ${site.universityName}. ` +
      `By signing up you agree to these terms. Questions: ${site.contactEmail}.`,
    "1. Your account\nYou sign up with your school e-mail and are at least 16 years old. The " +
      "account is yours alone; keep the password to yourself.",
    "2. Credits\nGames are paid with credits from your wallet. 1 credit is worth 1 euro. Credits " +
      "that you buy, earn or get back do not expire; those of a monthly plan are replaced when the " +
      "plan renews and lapse when it ends.",
    `3. Cancelling a game\n${cancellationPolicy.map((line) => `- ${line}`).join("\n")}`,
    "4. When the organiser cancels\nYou get everything back that you paid for the game, whatever " +
      "the hour, and a message that says so.",
    "5. Right of withdrawal\nYou may withdraw from a purchase of credits within 14 days, as far " +
      `as you have not used them. Write to ${site.contactEmail}; you will get a receipt at once. ` +
      "A booking for a fixed date is not covered by this right; section 3 applies to it.",
    "6. On the pitch\nPlay fair, come in time, and look after each other. You play at your own " +
      "risk; we recommend an insurance. Who endangers others can be excluded.",
    "7. Law\nFinnish law applies, with the consumer protection of the country you live in.",
  ]);
}

/** The privacy policy that a new deployment starts with. */
export function defaultPrivacy(site: Deployment): string {
  return paragraphs([
    `${site.companyName} is the controller of your data. Contact: ${site.contactEmail}.`,
    "1. What we store and why\nYour name, school e-mail, date of birth, year of study, major and, " +
      "if you give it, phone number: to run your account (contract). Your games, bookings and " +
      "wallet: to run the games and keep the books (contract and law).",
    "2. Who sees it\nPlayers who are signed in see your name and picture in the games you join and " +
      "on your profile. Visitors see only how many play. Organisers see what they need at the pitch.",
    "3. How long\nAs long as you have an account. Bookkeeping is kept for six years after the end " +
      "of the year, without your name once the account is deleted.",
    "4. Cookies\nOnly the ones that keep you signed in and carry a message to the next page.",
    "5. Your rights\nYou may see, correct, take with you and delete your data, and complain to the " +
      `Data Protection Ombudsman (tietosuoja.fi). Write to ${site.contactEmail}.`,
  ]);
}

function paragraphs(texts: string[]): string {
  return texts.join("\n\n");
}
