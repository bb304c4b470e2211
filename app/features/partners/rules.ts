export const NO_IMAGE = "Please select an image file";
export const LOGO_MAX_BYTES = 5 * 1024 * 1024;
export const LOGO_TOO_LARGE = "Image must be smaller than 5MB";
export const LOGO_SIDE = 512;
