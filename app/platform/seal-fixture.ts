import { createSeal } from "./seal.server.ts";

/** What the jobs of tests are sealed with. */
export const TEST_SECRET = "the tests' own secret, 32 characters";
export const testSeal = createSeal(TEST_SECRET);
