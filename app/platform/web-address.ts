/** Puts https:// before "kickabout.example/x", as people type it; keeps anything else. */
export function completeAddress(typed: string): string {
  const [host = ""] = typed.split(/[/?#]/, 1);
  const labels = host.split(".");
  const isHost = labels.length > 1 && labels.every((label) => /^[\p{L}\p{N}-]+$/u.test(label));
  return isHost ? `https://${typed}` : typed;
}

/** Null for any other scheme than http(s), and for what is no URL. */
export function webAddress(text: string | null): string | null {
  const url = URL.parse(text ?? "");
  return url && ["http:", "https:"].includes(url.protocol) ? url.href : null;
}
