/** What the tokens in the jobs of tests are sealed with. */
export const TEST_SECRET = "the tests' own secret, 32 characters";
