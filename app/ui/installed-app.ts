/** Chrome's offer to install the site; other browsers have none. */
interface InstallPrompt extends Event {
  prompt(): Promise<{ outcome: "accepted" | "dismissed" }>;
}

declare global {
  interface WindowEventMap {
    beforeinstallprompt: InstallPrompt;
  }
}

let stored: InstallPrompt | null = null;

/** The offer comes once, on whichever page is open; this keeps it for the page that shows it. */
export function keepInstallPrompt() {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    stored = event;
  });
}

export const installPrompt = () => stored;

/** iPadOS calls itself a Mac. */
export function isIos(): boolean {
  const isTouchMac = /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1;
  return isTouchMac || /iPhone|iPad|iPod/.test(navigator.userAgent);
}

export function isInstalled(): boolean {
  return matchMedia("(display-mode: standalone)").matches;
}
