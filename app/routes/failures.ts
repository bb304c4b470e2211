/** What a request that cannot be done is answered with (specification, section 8). */
export const PROCESS_FAILED = { title: "Error", description: "Failed to process request" };

/** A form of the desk that breaks on our side; it stays as it was typed. */
export const NOTHING_SAVED = "Nothing was saved. Please try again.";

/** The plan dialog that cannot be filled (specification, section 8). */
export const PACKS_FAILED = { title: "Error", description: "Failed to load credit packs" };
