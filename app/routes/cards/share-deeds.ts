import { toast } from "#app/ui/toast.ts";

/** The card as a file that can be shared; null where this browser shares none or it did not come. */
export async function fetchCardFile(link: string): Promise<File | null> {
  try {
    if (!navigator.canShare?.({ files: [new File([], "card.png", { type: "image/png" })] })) {
      return null;
    }
    const answer = await fetch(`${new URL(link).pathname}.png`);
    if (!answer.ok) return null;
    return new File([await answer.blob()], "player-card.png", { type: "image/png" });
  } catch {
    return null;
  }
}

/** By the device's own dialog: the picture with its link, else the link. */
export async function shareLink(wish: { title: string; link: string; file: File | null }) {
  const { title, link, file } = wish;
  const withPicture = file && { title, text: link, files: [file] };
  try {
    await navigator.share(withPicture ?? { title, url: link });
  } catch {
    // A dismissed dialog is the player's choice; one that was not allowed leaves link and button.
  }
}

/** Copies the link. `isLate`: after a while browsers may refuse, and the link stands there anyway. */
export async function copyLink(link: string, isLate: boolean): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
    toast({ title: "Link copied!", description: "Whoever has it can see your card." });
  } catch {
    if (!isLate) toast({ title: "Could not copy link to clipboard.", tone: "danger" });
  }
}
