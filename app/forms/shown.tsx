/** The facts that the form's words promise (`writeShown`): where one is different by then, nothing
 * is done. */
export function Shown({ facts }: { facts: string | null | undefined }) {
  return facts && <input type="hidden" name="shown" value={facts} />;
}
