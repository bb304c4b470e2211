import type { ReactNode } from "react";
import { useNavigation } from "react-router";
import { PostForm } from "#app/forms/post-form.tsx";
import { Button } from "#app/ui/button.tsx";

type ManageProps = {
  subscriptionId: string;
  /** Tells buttons for the same subscription apart. */
  packId?: string;
  children?: ReactNode;
};

export function ManageSubscription({ subscriptionId, packId = "", children }: ManageProps) {
  const posted = useNavigation().formData;
  const isLeaving =
    posted?.get("subscriptionId") === subscriptionId && posted.get("packId") === packId;
  return (
    <PostForm action="/wallet">
      <input type="hidden" name="intent" value="manage-subscription" />
      <input type="hidden" name="subscriptionId" value={subscriptionId} />
      <input type="hidden" name="packId" value={packId} />
      <Button wide pending={isLeaving}>
        {children ?? "Manage subscription"}
      </Button>
    </PostForm>
  );
}
