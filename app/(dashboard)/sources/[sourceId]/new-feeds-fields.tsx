import { fieldError } from "@/app/_shared/read-error";
import type { Source } from "@/app/(dashboard)/_lib/types";
import { Checkbox, Field, Input } from "@/components/field";
import { Fieldset } from "@/components/fieldset";

type Draft = { isOn: boolean; address: string };

/** Whether later feeds are added, and where they are looked for. What is kept of the address is shown masked. */
export function NewFeedsFields({
  known,
  draft,
  onChange,
  error,
}: {
  known: Source["newFeeds"];
  draft: Draft;
  onChange(draft: Draft): void;
  error: unknown;
}) {
  return (
    <Fieldset legend="New feeds" isFramed>
      <Checkbox
        checked={draft.isOn}
        onChange={(event) => onChange({ ...draft, isOn: event.target.checked })}
        label="Also add feeds that appear later"
        hint="Looked for once a day. What is offered there now and is not here yet is added too, except what you left out or deleted."
      />
      <Field
        label="Where to look"
        optional={known.address !== null || !draft.isOn}
        hint={
          known.address ? `Empty: ${known.address}, as before.` : "The page of the site that names its feeds."
        }
        error={fieldError(error, "newFeeds.address")}
      >
        <Input
          value={draft.address}
          onChange={(event) => onChange({ ...draft, address: event.target.value })}
          inputMode="url"
          placeholder={known.address ?? "example.org"}
          maxLength={8192}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
    </Fieldset>
  );
}
