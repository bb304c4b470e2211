import { keptKey, readKept, writeKept } from "#app/ui/kept.ts";
import {
  fillFields,
  hasText,
  isChanged,
  readFields,
  savedFields,
  type Values,
} from "./typed-fields.ts";

interface Draft {
  at: number;
  /** What the form edited, by field name; for a game's result also the version of the teams. */
  versions: Record<string, string>;
  values: Values;
  /** Keys of a form that was sent: if the answer was lost, the server recognises it by them. */
  keys: Record<string, string> | null;
}

/** A form with a restored draft, and the place in it that says so. */
export interface Restored {
  form: HTMLFormElement;
  place: HTMLElement;
  at: number;
  isOutdated: boolean;
}

interface Watched {
  key: string;
  saved: Values;
  restored: Restored | null;
  /** The versions that a restored draft edits, sent in place of the page's to detect conflicts. */
  pinned: Record<string, string> | null;
  /** The server recognises a form that was sent but not answered by these, even after a reload. */
  keys: Record<string, string> | null;
  /** Whether the keys are the draft's, in place of this page's own. */
  isResent: boolean;
  stored: string;
}

const PAUSE_MS = 300;

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
  }

  /** Finds new forms, also in a dialog once it opens, and restores their drafts. */
  #find(): void {
    for (const [form] of this.#forms) if (!form.isConnected) this.#forms.delete(form);
    for (const form of document.querySelectorAll("form")) {
      if (this.#forms.has(form) || isShut(form) || !hasText(form)) continue;
      const key = this.#keyOf(form);
      // The second form of a name gets no draft: it would be the first one's.
      const isTaken = [...this.#forms.values()].some((other) => other.key === key);
      const watched = { ...NEW, key: isTaken ? "" : key, saved: savedFields(form) };
      this.#forms.set(form, watched);
      this.#restore(form, watched);
    }
    this.#announce();
  }

  #restore(form: HTMLFormElement, watched: Watched): void {
    const draft = watched.key ? readKept<Draft>(watched.key) : null;
    if (!draft) return;
    this.#fill(form, draft.values);
    if (!isChanged(form, watched.saved)) return void writeKept(watched.key, null);
    const now = versionsOf(form);
    const isOutdated = Object.keys(now).some((name) => {
      return (draft.versions[name] ?? now[name]) !== now[name];
    });
    if (isOutdated) watched.pinned = draft.versions;
    watched.keys = draft.keys;
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
    this.#drop(watched);
    this.#announce();
    form.querySelector<HTMLElement>("input:not([type=hidden]), textarea, select")?.focus();
  }

  #drop(watched: Watched): void {
    if (watched.key) writeKept(watched.key, null);
    watched.restored?.place.remove();
    Object.assign(watched, NEW);
  }

  #announce(): void {
    const restored = [...this.#forms.values()].flatMap((watched) => watched.restored ?? []);
    const isSame = restored.every((each, index) => each === this.#restored[index]);
    if (isSame && restored.length === this.#restored.length) return;
    this.#restored = restored;
    this.#onRestored(restored);
  }

  /** Whether leaving now would lose something on screen; stores what was typed first. */
  asks(): boolean {
    if (this.#isSubmitting || (this.#sent && !this.#isIdle)) return false;
    this.store();
    return [...this.#forms].some(
      ([form, { saved }]) => form.isConnected && !isShut(form) && isChanged(form, saved),
    );
  }

  listen(): () => void {
    const controller = new AbortController();
    const on = (target: EventTarget, types: string[], run: (event: Event) => void) => {
      for (const type of types) {
        target.addEventListener(type, run, { capture: true, signal: controller.signal });
      }
    };
    // On the window, each runs before React's own listeners.
    on(window, ["input", "change"], () => this.#typed());
    // Settles what was sent first, or its draft would come back in the emptied form.
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
        if (stored) this.#drop(watched);
        continue;
      }
      const text = textOf(form, watched);
      // Another tab may have saved or discarded it.
      if (text === stored && readKept(key)) continue;
      const values = JSON.parse(text) as Values;
      const draft: Draft = { at: Date.now(), versions: pinned ?? versionsOf(form), values, keys };
      if (writeKept(key, draft)) watched.stored = text;
    }
    this.#announce();
  }

  /** A dialog that empties its form on closing gives up what was typed. */
  #closed(dialog: Element): void {
    const inside = [...this.#forms].filter(([form]) => dialog.contains(form));
    setTimeout(() => {
      for (const [form, watched] of inside) {
        if (dialog.isConnected && !form.isConnected) this.#drop(watched);
      }
      this.#announce();
    });
  }

  #submits({ target, submitter }: SubmitEvent): void {
    const form = target as HTMLFormElement;
    const isPost = form.getAttribute("method") === "post";
    // A search that leads elsewhere leaves the page like a link.
    if (!isPost && new URL(form.action).pathname !== location.pathname) return;
    if (submitter?.getAttribute("formmethod") === "dialog") return;
    const watched = this.#forms.get(form);
    if (watched) {
      // The conflict was shown, even if the page is still loading its data again.
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

  /** After a conflict the page has new keys, and some forms are new too. */
  #failed(sent: HTMLFormElement, watched: Watched): void {
    const isNamed = (form: HTMLFormElement) => this.#keyOf(form) === watched.key;
    const form = sent.isConnected ? sent : [...document.querySelectorAll("form")].find(isNamed);
    if (!form || !watched.key) return;
    if (form !== sent) {
      this.#forms.delete(sent);
      // The new form came with what was typed, not with what is saved.
      this.#forms.set(form, Object.assign(watched, { restored: null }));
    }
    const keys = JSON.stringify(keysOf(form));
    if (keys !== JSON.stringify(watched.keys)) Object.assign(watched, { keys: null, stored: "" });
    if (form.querySelector("[data-conflict]")) Object.assign(watched, { pinned: null, stored: "" });
  }

  #keyOf = (form: HTMLFormElement) =>
    keptKey("draft", `${pathOf(location)} ${nameOf(form)}`, this.#accountId);

  /** Arrives at a location; only a saved form is redirected to one. */
  arrive({ key, isIdle, isSaved }: { key: string; isIdle: boolean; isSaved: boolean }): void {
    this.#isIdle = isIdle;
    if (!isIdle) return;
    if (this.#sent && key !== this.#key) {
      const { form, watched } = this.#sent;
      this.#sent = null;
      if (isSaved) {
        this.#drop(watched);
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

/** Tells a page's forms apart, without what each load makes new. */
function nameOf(form: HTMLFormElement): string {
  return hiddenIn(form)
    .filter(
      ({ name, dataset }) => /^(intent|[a-z]+Id)$/.test(name) && dataset["once"] === undefined,
    )
    .map(({ name, value }) => `${name}=${value}`)
    .join(" ");
}

/** Made new by each load, so that a form that is sent twice counts once. */
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

/** Includes what prefills the form, such as another game, but not flags such as "?sent". */
function pathOf({ pathname, search }: Location): string {
  const filled = [...new URLSearchParams(search)].filter(([, value]) => value);
  return filled.length > 0 ? `${pathname}?${new URLSearchParams(filled)}` : pathname;
}

const isShut = (form: HTMLFormElement) => form.closest("dialog:not([open])") !== null;
