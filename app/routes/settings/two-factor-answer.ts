import type { FormAnswer } from "./form-problem.tsx";

/** What an authenticator app needs, as a picture and as text. */
export interface ShownSetup {
  /** Comes back with the code; the server alone can read it. */
  sealed: string;
  /** The otpauth: address, which an app on this device opens. */
  address: string;
  /** In groups of four. */
  key: string;
  /** The squares of the QR code as an SVG path, `size` units wide and high. */
  squares: string;
  size: number;
}

export interface TwoFactorAnswer extends FormAnswer {
  setup?: ShownSetup;
  /** Shown this once. */
  recoveryCodes?: string[];
}
