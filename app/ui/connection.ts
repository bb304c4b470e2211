import { dismissToast, toast } from "./toast.ts";

/** Blocks submits and link presses while offline: input is kept, and a toast says why. */
export function watchConnection(): void {
  window.addEventListener("submit", holdForm, { capture: true });
  window.addEventListener("click", holdLink, { capture: true });
  window.addEventListener("online", dismiss);
}

/** Whether a request got no response; each browser words it differently. */
export function isConnectionError(error: unknown): boolean {
  return error instanceof TypeError && /fetch|network|load failed/i.test(error.message);
}

/** For a form without a response of ours, or with an unknown outcome. */
export function showUnanswered({ title, description }: Unanswered): void {
  const has = (part: string) => sent?.querySelector(part);
  if (title) show(title, description ?? (has("[data-once]") ? IS_ONCE : MAY_REPEAT), sendAgain);
  else show(`The ${has("[type=file]") ? "file" : "form"} is too large for this server.`, SMALLER);
}

interface Unanswered {
  title: string;
  description?: string;
}

export const NO_ANSWER: Unanswered = { title: "The connection failed." };
export const NO_SERVER: Unanswered = { title: "The server did not answer." };
/** It would be too large again. */
export const TOO_LARGE: Unanswered = { title: "" };

const IS_ONCE = "Your form is as you left it. Sending it again is safe.";
const MAY_REPEAT = "It may not have been sent: look before you try again.";
const SMALLER = "Make it smaller and send it again.";

let shownId: string | null = null;
let sent: HTMLFormElement | null = null;
let sendAgain: () => void = () => {};
// Blocked before, but let through this time.
let released: EventTarget | null = null;

function holdForm(event: SubmitEvent) {
  const form = event.target as HTMLFormElement;
  const submitter = event.submitter as HTMLButtonElement | null;
  const method = submitter?.getAttribute("formmethod") ?? form.getAttribute("method");
  // It keeps its messages itself until they are sent.
  if (method === "dialog" || form.dataset["keepsSending"]) return;
  sent = form;
  sendAgain = () =>
    form.isConnected && form.requestSubmit(submitter?.isConnected ? submitter : null);
  const isPost = method?.toLowerCase() === "post";
  holdOffline(event, sendAgain, isPost ? "Nothing was sent. Your form is as you left it." : STAYS);
}

function holdLink(event: MouseEvent) {
  const link = event.target instanceof Element && event.target.closest("a");
  if (!link || link.origin !== location.origin || link.target || isSpecial(event)) return;
  const isOnPage = link.pathname + link.search === location.pathname + location.search;
  if (isOnPage && link.hash) return;
  holdOffline(event, () => link.isConnected && link.click(), STAYS);
}

const STAYS = "This page stays as it is.";

function isSpecial({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) {
  return button !== 0 || metaKey || ctrlKey || shiftKey || altKey;
}

/** A development machine may have no network, so navigator.onLine alone would not do. */
function holdOffline(event: Event, again: () => void, description: string) {
  const { target } = event;
  const goesThrough = navigator.onLine || released === target;
  released = null;
  if (goesThrough) return dismiss();
  event.preventDefault();
  event.stopPropagation();
  const goOn = () => {
    released = target;
    again();
  };
  fetch("/sw.js", { method: "HEAD", cache: "no-store" }).then(goOn, () =>
    show("You are offline.", description, again),
  );
}

function show(title: string, description: string, again?: () => void) {
  dismiss();
  shownId = toast({
    title,
    description,
    tone: "danger",
    action: again && { label: "Try again", run: again },
  });
}

function dismiss() {
  if (shownId) dismissToast(shownId);
  shownId = null;
}
