import { Form, useNavigation } from "react-router";
import { classNames } from "#app/ui/class-names.ts";
import { PARTNERS, type PartnerWords } from "./partner-words.ts";

/** Shows a partner on the front page or not; a button that posts, so that it works as plain HTML. */
export function ActiveSwitch({ partner: { id, name, isActive } }: { partner: PartnerWords }) {
  const { formData } = useNavigation();
  const isTurning = formData?.get("intent") === "switch" && formData.get("partnerId") === id;
  const isOn = isTurning ? formData.get("isActive") === "true" : isActive;
  return (
    <Form method="post" action={PARTNERS} preventScrollReset>
      <input type="hidden" name="intent" value="switch" />
      <input type="hidden" name="partnerId" value={id} />
      <input type="hidden" name="isActive" value={String(!isActive)} />
      <button
        role="switch"
        aria-checked={isOn}
        aria-label={`Active: ${name}`}
        className="group flex min-h-11 items-center gap-2 rounded-card px-1 font-semibold"
      >
        <span
          aria-hidden
          className={classNames(
            "flex h-7 w-12 items-center rounded-pill border p-0.5 group-hover:border-ink",
            isOn ? "justify-end border-ink bg-ink" : "border-edge bg-raised",
          )}
        >
          <span className={classNames("size-5 rounded-pill", isOn ? "bg-canvas" : "bg-edge")} />
        </span>
        Active
      </button>
    </Form>
  );
}
