import type { ComponentProps, ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { PostForm } from "./post-form.tsx";
import { Button, type ButtonVariant } from "#app/ui/button.tsx";
import { FormErrors } from "./form-errors.tsx";
import type { FormResult } from "./form-result.ts";

type ErrorProps = Omit<ComponentProps<typeof FormErrors>, "result">;
type FormProps = Omit<ComponentProps<typeof Form>, "className" | "hidden" | "method">;

interface ShortFormProps extends ErrorProps, FormProps {
  result?: FormResult | null | undefined;
  intent?: string;
  hidden?: Record<string, string | null | undefined>;
  username?: string | null | undefined;
  submit: ReactNode;
  pendingLabel?: string;
  variant?: ButtonVariant;
}

/** A few fields, or none, and one button with the errors right above it. */
export function ShortForm({ intent, hidden, username, result, ...props }: ShortFormProps) {
  const { fieldId, toast, submit, pendingLabel, variant = "primary", children, ...form } = props;
  const { formData } = useNavigation();
  const pending = formData !== undefined && formData.get("intent") === (intent ?? null);
  return (
    <PostForm noValidate {...form} className="grid gap-4">
      {Object.entries({ intent, ...hidden }).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
      {username && <Username value={username} />}
      {children}
      <FormErrors result={result} fieldId={fieldId} toast={toast} />
      <Button variant={variant} size="lg" wide pending={pending} pendingLabel={pendingLabel}>
        {submit}
      </Button>
    </PostForm>
  );
}

/** Password managers keep passwords by this name. */
export function Username({ value }: { value: string }) {
  return <input hidden readOnly name="username" autoComplete="username" value={value} />;
}
