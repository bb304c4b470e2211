import { Form, useNavigate, useNavigation, useSearchParams } from "react-router";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { partnerPath, type PartnerWords } from "./partner-words.ts";

/**
 * Asks before a partner is deleted. Whether it asks stands in the address, so that it does as plain
 * HTML too.
 */
export function RemoveDialog({ partner: { id, name } }: { partner: PartnerWords }) {
  const [searchParams] = useSearchParams();
  const navigate = useNavigate();
  const isOpen = searchParams.has("delete");
  const isPending = useNavigation().formData?.get("intent") === "remove";
  const leave = () => {
    if (isOpen) void navigate(partnerPath(id), { replace: true, preventScrollReset: true });
  };
  return (
    // Without JavaScript it stands in the page, over what follows it.
    <Dialog
      id="remove-partner"
      title="Delete this partner?"
      open={isOpen}
      onClose={leave}
      className="z-10"
    >
      <p>
        {name} leaves the front page, and its logo is deleted for good. To take it off the page for
        a while, switch it off instead.
      </p>
      <Form method="post" className="mt-6 flex flex-wrap justify-end gap-3">
        <input type="hidden" name="intent" value="remove" />
        <ButtonLink to={partnerPath(id)} replace preventScrollReset variant="quiet">
          Keep it
        </ButtonLink>
        <Button variant="danger" pending={isPending} pendingLabel="Deleting…">
          Delete partner
        </Button>
      </Form>
    </Dialog>
  );
}

/** Opens it. */
export function RemoveLink({ partner: { id } }: { partner: PartnerWords }) {
  return (
    <ButtonLink to={`${partnerPath(id)}?delete`} preventScrollReset className="justify-self-start">
      Delete partner
    </ButtonLink>
  );
}
