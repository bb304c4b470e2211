import { type KyselyPlugin, RawNode, SelectModifierNode } from "kysely";

/**
 * Takes `for update` and `for no key update` out of every query. For negative controls only: a property that still holds
 * without the lock is not proved by a test of the lock.
 */
export const withoutLocks: KyselyPlugin = {
  transformQuery({ node }) {
    if (node.kind !== "SelectQueryNode" || !node.endModifiers) return node;
    const endModifiers = node.endModifiers.filter(
      ({ modifier }) => !/^For(NoKey)?Update$/.test(modifier!),
    );
    return { ...node, endModifiers };
  },
  transformResult: async ({ result }) => result,
};

/** Makes `for no key update` a lock that foreign keys wait for. For the same use. */
export const withKeyLocks: KyselyPlugin = {
  transformQuery({ node }) {
    if (node.kind !== "SelectQueryNode" || !node.endModifiers) return node;
    const endModifiers = node.endModifiers.map((one) =>
      one.modifier === "ForNoKeyUpdate" ? SelectModifierNode.create("ForUpdate") : one,
    );
    return { ...node, endModifiers };
  },
  transformResult: async ({ result }) => result,
};

/** Takes the lock of a person (lockPerson) away, in the same way and for the same use. */
export const withoutPersonLock: KyselyPlugin = {
  transformQuery({ node }) {
    const isLock = node.kind === "RawNode" && node.sqlFragments.join("").includes("advisory");
    return isLock ? RawNode.createWithSql("select 1") : node;
  },
  transformResult: async ({ result }) => result,
};

/** Takes the rule of the waitlist away (listWaiting): nobody seems to wait. For the same use. */
export const withoutWaitlist: KyselyPlugin = {
  transformQuery({ node }) {
    const isRule = node.kind === "RawNode" && node.sqlFragments.join("").includes("as obstacle");
    return isRule ? RawNode.createWithSql("select where false") : node;
  },
  transformResult: async ({ result }) => result,
};

const PAYMENT_HOLDS = /^\s*update payment_holds/;
/** What a write finds, as ids that are read before it waits for the row, and not looked at again after it. */
const READ_BEFORE: [RegExp, string][] = [
  [
    /from games, users\s+where/,
    "where hold.id = any(array(select hold.id from payment_holds hold, games, users where",
  ],
  [/returning hold\.id/, ")) returning hold.id"],
  [
    /where before\.id = hold\.id and/,
    "where before.id = hold.id and hold.id = any(array(select hold.id from payment_holds hold where",
  ],
  [/returning hold\.game_id/, ")) returning hold.game_id"],
  [/where status in \('Held', 'Lapsed'\) and paid_at is null and id =/, "where id ="],
];

/** Payment holds are written by what was read of them, whatever has become of the row. For the same use. */
export const withoutRowConditions: KyselyPlugin = {
  transformQuery({ node }) {
    if (node.kind !== "RawNode" || !PAYMENT_HOLDS.test(node.sqlFragments[0]!)) return node;
    const sqlFragments = node.sqlFragments.map((text) =>
      READ_BEFORE.reduce((read, [guard, instead]) => read.replace(guard, instead), text),
    );
    return { ...node, sqlFragments };
  },
  transformResult: async ({ result }) => result,
};
