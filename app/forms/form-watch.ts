import { deleteDrafts, draftKey, readDraft, writeDraft } from "./drafts.ts";
import {
  fillFields,
  hasText,
  isChanged,
  readFields,
  savedFields,
  type Values,
} from "./typed-fields.ts";

/** A form whose draft was restored, with the place in it that says so. */
export interface Restored {
  form: HTMLFormElement;
  place: HTMLElement;
  at: number;
  /** Somebody saved another version since. */
  isOutdated: boolean;
}

interface Watched {
  key: string;
  saved: Values;
  restored: Restored | null;
  /** The versions that a restored draft edits: sent instead of the page's, so that both meet. */
  pinned: Record<string, string> | null;
  /** By which the server knows a form that was sent and not answered, again after a reload. */
  keys: Record<string, string> | null;
  /** Whether they are those of the draft, which this page's own have replaced. */
  isResent: boolean;
  /** The draft as this page stored it last. */
  stored: string;
}

/** How long typing may pause before it is stored; leaving the page stores it too. */
const PAUSE_MS = 300;

/** The forms with text that the page has, what was saved of them, and the drafts of what was not. */
export class FormWatch {
  #forms = new Map<HTMLFormElement, Watched>();
  #sent: { form: HTMLFormElement; watched: Watched } | null = null;
  #timer = 0;
  #isFilling = false;
  #restored: Restored[] = [];
  #key = "";
  #isIdle = true;
  #isSubmitting = false;

  #accountId: string;
  #onRestored: (restored: Restored[]) => void;

  constructor(accountId: string, onRestored: (restored: Restored[]) => void) {
    this.#accountId = accountId;
    this.#onRestored = onRestored;
    deleteDrafts(accountId);
  }

  /** Finds new forms, those in a dialog once it is open, and restores their drafts. */
  #find(): void {
    for (const [form] of this.#forms) if (!form.isConnected) this.#forms.delete(form);
    for (const form of document.querySelectorAll("form")) {
      if (this.#forms.has(form) || isShut(form) || !hasText(form)) continue;
      const key = this.#keyOf(form);
      // Of two of one name the second has no draft: it would be the other's.
      const isTaken = [...this.#forms.values()].some((other) => other.key === key);
      const watched = { ...NEW, key: isTaken ? "" : key, saved: savedFields(form) };
      this.#forms.set(form, watched);
      this.#restore(form, watched);
    }
    this.#tell();
  }

  #restore(form: HTMLFormElement, watched: Watched): void {
    const draft = watched.key && readDraft(watched.key);
    if (!draft) return;
    this.#fill(form, draft.values);
    if (!isChanged(form, watched.saved)) return void writeDraft(watched.key, null);
    const now = versionsOf(form);
    const isOutdated = Object.keys(now).some((name) => {
      return (draft.versions[name] ?? now[name]) !== now[name];
    });
    if (isOutdated) watched.pinned = draft.versions;
    watched.keys = draft.keys ?? null;
    watched.isResent = watched.keys !== null;
    const place = document.createElement("div");
    form.prepend(place);
    watched.restored = { form, place, at: draft.at, isOutdated };
    watched.stored = textOf(form, watched);
  }

  #fill(form: HTMLFormElement, values: Values): void {
    this.#isFilling = true;
    fillFields(form, values);
    this.#isFilling = false;
  }

  discard({ form }: Restored): void {
    const watched = this.#forms.get(form);
    if (!watched) return;
    this.#fill(form, watched.saved);
    this.#forget(watched);
    this.#tell();
    form.querySelector<HTMLElement>("input:not([type=hidden]), textarea, select")?.focus();
  }

  #forget(watched: Watched): void {
    if (watched.key) writeDraft(watched.key, null);
    watched.restored?.place.remove();
    Object.assign(watched, NEW);
  }

  #tell(): void {
    const restored = [...this.#forms.values()].flatMap((watched) => watched.restored ?? []);
    const isSame = restored.every((each, index) => each === this.#restored[index]);
    if (isSame && restored.length === this.#restored.length) return;
    this.#restored = restored;
    this.#onRestored(restored);
  }

  /** Whether leaving the page now would lose something in sight; what is typed is stored first. */
  asks(): boolean {
    if (this.#isSubmitting || (this.#sent && !this.#isIdle)) return false;
    this.store();
    return [...this.#forms].some(
      ([form, { saved }]) => form.isConnected && !isShut(form) && isChanged(form, saved),
    );
  }

  /** Returns what stops it. */
  listen(): () => void {
    const controller = new AbortController();
    const on = (target: EventTarget, types: string[], run: (event: Event) => void) => {
      for (const type of types) {
        target.addEventListener(type, run, { capture: true, signal: controller.signal });
      }
    };
    // On the window, each comes before React's own listeners.
    on(window, ["input", "change"], () => this.#typed());
    // What was sent is settled first: else its draft would come back in the emptied form.
    on(window, ["focusin", "toggle"], () => this.#sent || this.#find());
    on(window, ["pagehide", "visibilitychange"], () => this.store());
    on(window, ["submit"], (event) => this.#submits(event as SubmitEvent));
    on(window, ["close"], ({ target }) => this.#closed(target as Element));
    on(window, ["beforeunload"], (event) => this.asks() && event.preventDefault());
    return () => controller.abort();
  }

  #typed(): void {
    if (this.#isFilling) return;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.store(), PAUSE_MS);
  }

  store(): void {
    clearTimeout(this.#timer);
    for (const [form, watched] of this.#forms) {
      const { key, pinned, keys, saved, stored } = watched;
      if (!key || !form.isConnected) continue;
      if (!isChanged(form, saved)) {
        if (stored) this.#forget(watched);
        continue;
      }
      const text = textOf(form, watched);
      // Another tab may have saved or discarded it.
      if (text === stored && readDraft(key)) continue;
      const values = JSON.parse(text) as Values;
      const versions = pinned ?? versionsOf(form);
      if (writeDraft(key, { at: Date.now(), versions, values, keys })) watched.stored = text;
    }
    this.#tell();
  }

  /** A dialog that empties its form when it is closed gives up what was typed. */
  #closed(dialog: Element): void {
    const inside = [...this.#forms].filter(([form]) => dialog.contains(form));
    setTimeout(() => {
      for (const [form, watched] of inside) {
        if (dialog.isConnected && !form.isConnected) this.#forget(watched);
      }
      this.#tell();
    });
  }

  #submits({ target, submitter }: SubmitEvent): void {
    const form = target as HTMLFormElement;
    const isPost = form.getAttribute("method") === "post";
    // A search that leads elsewhere leaves the page as a link does.
    if (!isPost && new URL(form.action).pathname !== location.pathname) return;
    if (submitter?.getAttribute("formmethod") === "dialog") return;
    const watched = this.#forms.get(form);
    if (watched) {
      // It has been said, also where the page is still being read again.
      if (form.querySelector("[data-conflict]")) watched.pinned = null;
      if (watched.isResent) setHidden(form, watched.keys ?? {});
      watched.isResent = false;
      watched.keys = keysOf(form);
      watched.stored = "";
    }
    this.store();
    this.#isSubmitting = true;
    setTimeout(() => (this.#isSubmitting = false));
    setHidden(form, watched?.pinned ?? {});
    this.#sent = watched ? { form, watched } : null;
  }

  /** After a conflict the page has read new keys, and some forms are new with them. */
  #failed(sent: HTMLFormElement, watched: Watched): void {
    const isNamed = (form: HTMLFormElement) => this.#keyOf(form) === watched.key;
    const form = sent.isConnected ? sent : [...document.querySelectorAll("form")].find(isNamed);
    if (!form || !watched.key) return;
    if (form !== sent) {
      this.#forms.delete(sent);
      // What the new form came with is what was typed, not what is saved.
      this.#forms.set(form, Object.assign(watched, { restored: null }));
    }
    const keys = JSON.stringify(keysOf(form));
    if (keys !== JSON.stringify(watched.keys)) Object.assign(watched, { keys: null, stored: "" });
    if (form.querySelector("[data-conflict]")) Object.assign(watched, { pinned: null, stored: "" });
  }

  #keyOf = (form: HTMLFormElement) => draftKey(this.#accountId, pathOf(location), nameOf(form));

  /** At a location; only a form that was saved leads to one by a redirect. */
  arrive({ key, isIdle, isSaved }: { key: string; isIdle: boolean; isSaved: boolean }): void {
    this.#isIdle = isIdle;
    if (!isIdle) return;
    if (this.#sent && key !== this.#key) {
      const { form, watched } = this.#sent;
      this.#sent = null;
      if (isSaved) {
        this.#forget(watched);
        watched.saved = readFields(form, Object.keys(watched.saved));
      } else this.#failed(form, watched);
    }
    this.#key = key;
    this.#find();
  }
}

const NEW = { restored: null, pinned: null, keys: null, isResent: false, stored: "" };

const textOf = (form: HTMLFormElement, { saved }: Watched) =>
  JSON.stringify(readFields(form, Object.keys(saved)));

/** What tells a page's forms apart; not what each load of the page makes new. */
function nameOf(form: HTMLFormElement): string {
  return hiddenIn(form)
    .filter(
      ({ name, dataset }) => /^(intent|[a-z]+Id)$/.test(name) && dataset["once"] === undefined,
    )
    .map(({ name, value }) => `${name}=${value}`)
    .join(" ");
}

/** What is made for each load of the page, so that what is sent twice counts once. */
function keysOf(form: HTMLFormElement): Record<string, string> {
  return valuesOf(hiddenIn(form).filter(({ dataset }) => dataset["once"] !== undefined));
}

function versionsOf(form: HTMLFormElement): Record<string, string> {
  return valuesOf(hiddenIn(form).filter(({ name }) => /^(version|[a-z]+Version)$/.test(name)));
}

const hiddenIn = (form: HTMLFormElement) => [
  ...form.querySelectorAll<HTMLInputElement>("input[type=hidden]"),
];

const valuesOf = (inputs: HTMLInputElement[]) =>
  Object.fromEntries(inputs.map(({ name, value }) => [name, value]));

function setHidden(form: HTMLFormElement, values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) {
    const input = form.querySelector<HTMLInputElement>(`input[type=hidden][name="${name}"]`);
    if (input) input.value = value;
  }
}

/** With what fills the form in otherwise, such as another game; not with flags, such as "?sent". */
function pathOf({ pathname, search }: Location): string {
  const filled = [...new URLSearchParams(search)].filter(([, value]) => value);
  return filled.length > 0 ? `${pathname}?${new URLSearchParams(filled)}` : pathname;
}

const isShut = (form: HTMLFormElement) => form.closest("dialog:not([open])") !== null;
