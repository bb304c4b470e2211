const SITE = "http://kickabout.test";

/** The page that an email's link opens for who is signed in; who is not begins with signing in. */
export function pageBehind(link: string | undefined): string | undefined {
  const { origin, pathname, searchParams } = new URL((link ?? "").replaceAll("&amp;", "&"), SITE);
  const path = searchParams.get("redirectTo");
  const isOurs = origin === SITE && pathname === "/auth" && searchParams.get("from") === "email";
  return isOurs && path ? SITE + path : link;
}
