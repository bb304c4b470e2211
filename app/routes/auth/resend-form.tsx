import { Form, useNavigation } from "react-router";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";

/** Asks for the confirmation link again; /auth answers. */
export function ResendForm() {
  const pending = useNavigation().formData?.get("intent") === "resend";
  return (
    <Form method="post" action="/auth" className="grid gap-4">
      <input type="hidden" name="intent" value="resend" />
      <TextField label="email" name="email" type="email" autoComplete="email" required />
      <Button variant="primary" size="lg" wide pending={pending} pendingLabel="Sending...">
        Send the link again
      </Button>
    </Form>
  );
}
