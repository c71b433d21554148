import { fieldError } from "@/app/_shared/read-error";
import { Field, Input } from "@/components/field";

/** For an account that is being made. */
export function NewPasswordField({ error }: { error: unknown }) {
  return (
    <Field
      label="Password"
      hint="At least 8 characters; longer is better."
      error={fieldError(error, "password")}
    >
      <Input name="password" type="password" required minLength={8} autoComplete="new-password" />
    </Field>
  );
}
