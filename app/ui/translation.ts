/**
 * Keeps a page working while its browser translates it. A translator puts elements in place of
 * React's texts, or one text in place of several; React would then fail to remove such a text, or
 * change one that is no longer seen. So before React changes an element or its texts, what others
 * have done to them is undone; the translator then translates the new words
 * (docs/decisions/051-translated-pages.md).
 */
export function followTranslations(): void {
  const { prototype } = Node;
  note(window.early.records);
  window.early.note = note;
  prototype.removeChild = function (child) {
    return change(this, undo, () => removeChildOf(this, child));
  };
  prototype.insertBefore = function (node, before) {
    return change(this, undo, () => insert(this, node, before));
  };
  prototype.appendChild = function (node) {
    return change(this, undo, () => insert(this, node, null));
  };
  patchText("nodeValue", undo);
  patchText("textContent", (parent) => changes.delete(parent));
}

declare global {
  interface Window {
    /** What has changed since the page was read, from the script that starts all others. */
    early: {
      observer: MutationObserver;
      records: MutationRecord[];
      note: (records: MutationRecord[]) => void;
    };
  }
}

const { removeChild, insertBefore } = Node.prototype;
/** What others have done to an element of which they took a text away or rewrote one, and to these. */
const changes = new WeakMap<Node, MutationRecord[]>();
/** The elements that the server sent. */
const ofServer = new WeakSet<Node>(document.querySelectorAll("*"));

function note(records: MutationRecord[]) {
  for (const record of records) {
    const parent = parentOf(record);
    for (const text of isOfText(record) ? [record.target] : record.removedNodes) {
      if (!parent || text.nodeType !== Node.TEXT_NODE) continue;
      const noted = changes.get(parent) ?? [];
      changes.set(parent, noted).set(text, noted);
    }
  }
  for (const record of records) changes.get(parentOf(record)!)?.push(record);
  for (const parent of records.map(parentOf)) if (parent && !isHydrated(parent)) undo(parent);
}

/** Hydration needs the words of the server. React says nowhere else what it has hydrated. */
const isHydrated = (node: Node) =>
  !ofServer.has(node) || Object.keys(node).some((key) => key.startsWith("__reactFiber"));

const isOfText = ({ type }: MutationRecord) => type === "characterData";
const parentOf = (record: MutationRecord) =>
  isOfText(record) ? record.target.parentNode : record.target;

/** Newest first, so each finds the siblings that it left. */
function undo(node: Node) {
  for (const record of changes.get(node)?.splice(0).reverse() ?? []) {
    const { target, oldValue, addedNodes, removedNodes, nextSibling } = record;
    if (isOfText(record)) (target as Text).data = oldValue!;
    for (const removed of removedNodes) insert(target, removed, nextSibling);
    for (const added of addedNodes) removeChildOf(target, added);
  }
  window.early.observer.takeRecords();
}

/** Nothing is left to do where something else has taken it away. */
function removeChildOf<T extends Node>(parent: Node, child: T): T {
  return child.parentNode === parent ? (removeChild.call(parent, child) as T) : child;
}

/** At the end where `before` is no longer in the element. */
function insert<T extends Node>(parent: Node, node: T, before: Node | null): T {
  const place = before?.parentNode === parent ? before : null;
  return insertBefore.call(parent, node, place) as T;
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
  note(window.early.observer.takeRecords());
  prepare(node);
  const result = run();
  window.early.observer.takeRecords();
  return result;
}
