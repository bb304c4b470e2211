import { randomUUID } from "node:crypto";
import { createContext, data, type RouterContextProvider } from "react-router";
import type { SentMessage } from "#app/ui/page-message.tsx";

type Context = Readonly<RouterContextProvider>;

interface SignedIn {
  userId: string;
  firstName: string;
}

/** Set for each request; looks the session up once. */
export const signedInContext = createContext<() => Promise<SignedIn | null>>(async () => null);

/** What the page says of a form that was rejected in this request. */
export const rejectionContext = createContext<SentMessage | null>(null);

// A page keeps acting after somebody else has signed in in another tab. Its forms name the account
// that it was made for; without the name, and without a session, a form acts as it always has.
export async function rejectOtherAccount(context: Context, form: FormData) {
  const viewer = await findOtherViewer(context, form);
  if (!viewer) return null;
  context.set(rejectionContext, {
    id: randomUUID(),
    title: "This page was opened for another account.",
    description: `You are signed in as ${viewer.firstName} now. Nothing was done.`,
    tone: "danger",
    isLasting: true,
  });
  // Nothing of what was typed, which may be the other's.
  return data(null, { status: OTHER_ACCOUNT });
}

const OTHER_ACCOUNT = 409;

/** Finds who is signed in, where the form names anybody else. */
export async function findOtherViewer(context: Context, form: FormData) {
  const named = form.getAll("account");
  if (named.length === 0) return null;
  const viewer = await context.get(signedInContext)();
  return viewer && named.some((account) => account !== viewer.userId) ? viewer : null;
}
