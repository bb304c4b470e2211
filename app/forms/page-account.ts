/** The id of the account that a page was made for; null is a visitor. */
export type PageAccount = string | null;

/** What the forms of a visitor's page send in place of an id. */
export const VISITOR = "visitor";
