import { Form, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import type { Answer } from "./answer.ts";
import { FormFailure, fieldId } from "./outcome.tsx";

/** Asks for the confirmation link again; /auth answers. */
export function ResendForm({ answer }: { answer?: Answer }) {
  const pending = useNavigation().formData?.get("intent") === "resend";
  return (
    <Form method="post" action="/auth" noValidate className="grid gap-4">
      <input type="hidden" name="intent" value="resend" />
      <TextField
        id={fieldId("resend", "email")}
        label="email"
        name="email"
        type="email"
        autoComplete="email"
        required
        defaultValue={answer?.values?.email}
        error={answer?.errors?.email}
      />
      <FormFailure answer={answer} prefix="resend" />
      <Button variant="primary" size="lg" wide pending={pending} pendingLabel="Sending...">
        Send the link again
      </Button>
    </Form>
  );
}
