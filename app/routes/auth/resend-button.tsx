import { Form, useNavigation } from "react-router";
import { Button } from "../../ui/button.tsx";

/** Asks for the confirmation link again, for an address that is known already. */
export function ResendButton({ to, email }: { to: string; email: string }) {
  const pending = useNavigation().formData?.get("intent") === "resend";
  return (
    <Form method="post" action={to}>
      <input type="hidden" name="intent" value="resend" />
      <input type="hidden" name="email" value={email} />
      <Button wide pending={pending} pendingLabel="Sending...">
        Send the link again
      </Button>
    </Form>
  );
}
