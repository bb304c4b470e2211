import { Form, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";

interface ResendButtonProps {
  to: string;
  email: string;
  /** Which of the sign-ups of the address is meant. */
  signUpId: string | undefined;
}

/** Asks for the confirmation link again, for an address that is known already. */
export function ResendButton({ to, email, signUpId }: ResendButtonProps) {
  const pending = useNavigation().formData?.get("intent") === "resend";
  return (
    <Form method="post" action={to}>
      <input type="hidden" name="intent" value="resend" />
      <input type="hidden" name="email" value={email} />
      {signUpId && <input type="hidden" name="signUpId" value={signUpId} />}
      <Button wide pending={pending} pendingLabel="Sending...">
        Send the link again
      </Button>
    </Form>
  );
}
