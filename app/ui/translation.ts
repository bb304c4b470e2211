/**
 * Keeps a page working while its browser translates it. A translator puts elements in place of
 * React's texts, or one text in place of several; React would then fail to remove such a text, or
 * change one that is no longer seen. So before React changes an element or its texts, what others
 * have done to them is undone; the translator then translates the new words
 * (docs/decisions/051-translated-pages.md).
 */
export function followTranslations(): void {
  const { observer: early, records = [] } = window.early ?? {};
  note([...records, ...(early?.takeRecords() ?? [])]);
  early?.disconnect();
  observer.observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    characterDataOldValue: true,
  });
  patchMethods(Node.prototype);
  patchText("nodeValue", (text) => undo(parents.get(text)));
  patchText("textContent", (parent) => changes.delete(parent));
}

/** From then on translations stay; hydration needs the words of the server. */
export function endHydration(): void {
  isHydrated = true;
}

declare global {
  interface Window {
    /** What has changed since the page was read, from the script that starts all others. */
    early?: { observer: MutationObserver; records: MutationRecord[] };
  }
}

const native = {
  removeChild: Node.prototype.removeChild,
  insertBefore: Node.prototype.insertBefore,
  nodeValue: Object.getOwnPropertyDescriptor(Node.prototype, "nodeValue")!.set!,
};
const observer = new MutationObserver(note);
/** What others have done to an element since they took away or rewrote a text of it. */
const changes = new WeakMap<Node, MutationRecord[]>();
/** The element of such a text. */
const parents = new WeakMap<Node, Node>();
let isHydrated = false;

function note(records: MutationRecord[]) {
  for (const record of records) {
    const parent = parentOf(record);
    if (!parent) continue;
    const texts = [...record.removedNodes].filter(
      (node) => node.nodeType === Node.TEXT_NODE && node.parentNode !== parent,
    );
    for (const text of texts) parents.set(text, parent);
    // A text that is rewritten alone is still React's own.
    const isRewritten = !isHydrated && isOfText(record);
    if ((texts.length > 0 || isRewritten) && !changes.has(parent)) changes.set(parent, []);
  }
  for (const record of records) {
    const parent = parentOf(record);
    const noted = parent && changes.get(parent);
    if (!noted) continue;
    noted.push(record);
    if (isOfText(record)) parents.set(record.target, parent);
  }
  if (!isHydrated) for (const record of records) undo(parentOf(record));
}

const isOfText = ({ type }: MutationRecord) => type === "characterData";
const parentOf = (record: MutationRecord) =>
  isOfText(record) ? record.target.parentNode : record.target;

function undo(parent: Node | null | undefined) {
  const noted = parent && changes.get(parent);
  if (!noted) return;
  changes.delete(parent);
  for (const record of noted.reverse()) {
    const { target, oldValue, addedNodes, removedNodes } = record;
    if (isOfText(record)) native.nodeValue.call(target, oldValue);
    for (const node of removedNodes) insert(parent, node, placeOf(record));
    for (const node of addedNodes) remove(parent, node);
  }
  observer.takeRecords();
}

/** Where the removed nodes were: before what came for them, or after what was before them. */
function placeOf({ target, addedNodes, previousSibling, nextSibling }: MutationRecord) {
  if (addedNodes[0]) return addedNodes[0];
  if (!previousSibling) return target.firstChild;
  return previousSibling.parentNode === target ? previousSibling.nextSibling : nextSibling;
}

/** Nothing to do where something else has taken it away. */
function remove<T extends Node>(parent: Node, child: T): T {
  return child.parentNode === parent ? (native.removeChild.call(parent, child) as T) : child;
}

/** At the end where `before` is no longer in the element. */
function insert<T extends Node>(parent: Node, node: T, before: Node | null): T {
  const place = before?.parentNode === parent ? before : null;
  return native.insertBefore.call(parent, node, place) as T;
}

function patchMethods(prototype: Node) {
  prototype.removeChild = function (child) {
    return change(this, undo, () => remove(this, child));
  };
  prototype.insertBefore = function (node, before) {
    return change(this, undo, () => insert(this, node, before));
  };
  prototype.appendChild = function (node) {
    return change(this, undo, () => insert(this, node, null));
  };
}

function patchText(name: "nodeValue" | "textContent", prepare: (node: Node) => void) {
  const property = Object.getOwnPropertyDescriptor(Node.prototype, name)!;
  Object.defineProperty(Node.prototype, name, {
    ...property,
    set(this: Node, value: string | null) {
      change(this, prepare, () => property.set!.call(this, value));
    },
  });
}

/** What the page itself does is nothing to undo. */
function change<T>(node: Node, prepare: (node: Node) => void, run: () => T): T {
  note(observer.takeRecords());
  prepare(node);
  const result = run();
  observer.takeRecords();
  return result;
}
