import type { ReactNode } from "react";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";

type ManageProps = {
  subscriptionId: string;
  /** Tells buttons for the same subscription apart. */
  packId?: string;
  children?: ReactNode;
};

export function ManageSubscription(props: ManageProps) {
  const { subscriptionId, packId = "", children = "Manage subscription" } = props;
  return (
    <IntentForm intent="manage-subscription" hidden={{ subscriptionId, packId }} action="/wallet">
      <SubmitButton wide pendingLabel={children}>
        {children}
      </SubmitButton>
    </IntentForm>
  );
}
