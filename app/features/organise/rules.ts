export const SUBJECT_MAX = 120;

export const MESSAGE_MAX = 5_000;
