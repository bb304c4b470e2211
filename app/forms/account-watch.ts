/** Names the path that the browser opens again; that page then says who is signed in. */
export const REOPENED_COOKIE = "kickabout_reopened";

/** Without the fragment, with which the browser would stay on the page; never sends a form again. */
export function reloadPage() {
  location.replace(location.pathname + location.search);
}

// Runs in the browser, from its source text (entry.server.tsx). Once somebody else has signed in in
// another tab, this one is opened again for them, as soon as it is seen. The account stands in the
// document, and the storage names that of the page that this browser has opened last.
export function watchAccount(cookie: string) {
  const page = document.documentElement;
  const reopen = () => {
    const path = encodeURIComponent(location.pathname);
    document.cookie = `${cookie}=${path}; path=/; max-age=30; samesite=lax`;
    location.replace(location.pathname + location.search);
  };
  const keep = (changes: { oldValue: string | null }[] = []) => {
    const { account } = page.dataset;
    // An error's page names none.
    if (account === undefined) return;
    // Some of the page may still be the other's.
    if (account && changes.some(({ oldValue }) => oldValue)) return reopen();
    localStorage.setItem("account", account);
  };
  const check = () => {
    const now = localStorage.getItem("account");
    const { account = now } = page.dataset;
    if (now && now !== account && !document.hidden) reopen();
  };
  try {
    keep();
  } catch {
    // A browser may have no storage, or none left.
    return;
  }
  const named = { attributeFilter: ["data-account"], attributeOldValue: true };
  new MutationObserver(keep).observe(page, named);
  for (const type of ["storage", "pageshow", "visibilitychange"]) addEventListener(type, check);
}
