"use client";

import { readError } from "@/app/_shared/read-error";
import type { ConfigDraft, ConfigField } from "@/app/(dashboard)/_lib/config-schema";
import { Checkbox, Field, Input, Select, Textarea } from "@/components/field";
import { CheckboxGroup } from "@/components/fieldset";
import { Sentence } from "@/components/sentence";

/** The controls of an adapter's config, made from its schema. `error`: the failed call, for its paths. */
export function ConfigFields({
  fields,
  draft,
  onChange,
  error,
}: {
  fields: ConfigField[];
  draft: ConfigDraft;
  onChange(draft: ConfigDraft): void;
  error: unknown;
}) {
  return (
    <div className="space-y-3">
      {fields.map((field) => (
        <ConfigControl
          key={field.name}
          field={field}
          value={draft[field.name] ?? ""}
          onChange={(value) => onChange({ ...draft, [field.name]: value })}
          error={errorBelow(error, `config.${field.name}`)}
        />
      ))}
    </div>
  );
}

type Value = ConfigDraft[string];

function ConfigControl({
  field,
  value,
  onChange,
  error,
}: {
  field: ConfigField;
  value: Value;
  onChange(value: Value): void;
  error: string | null;
}) {
  if (field.kind === "boolean") {
    return (
      <div>
        <Checkbox
          label={field.label}
          hint={field.hint}
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
        />
        {error && (
          <p className="mt-1 ml-6 text-xs text-bad">
            <Sentence>{error}</Sentence>
          </p>
        )}
      </div>
    );
  }
  if (field.kind === "list" && field.options) {
    const chosen = Array.isArray(value) ? value : [];
    return (
      <div className="space-y-1">
        <CheckboxGroup
          legend={field.label}
          choices={field.options.map((option) => ({ value: option, label: option }))}
          chosen={chosen}
          onChange={onChange}
        />
        {field.hint && <p className="text-xs text-ink-muted">{field.hint}</p>}
        {error && (
          <p className="text-xs text-bad">
            <Sentence>{error}</Sentence>
          </p>
        )}
      </div>
    );
  }
  return (
    <Field label={field.label} hint={hintOf(field)} optional={!field.isRequired} error={error}>
      <TextControl field={field} value={String(value)} onChange={onChange} />
    </Field>
  );
}

function TextControl({
  field,
  value,
  onChange,
}: {
  field: ConfigField;
  value: string;
  onChange(value: string): void;
}) {
  const shared = {
    value,
    required: field.isRequired,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
    autoComplete: "off",
    spellCheck: false,
  };
  switch (field.kind) {
    case "choice":
      return (
        <Select value={value} required={field.isRequired} onChange={shared.onChange}>
          {field.fallback === undefined && <option value="">Choose…</option>}
          {field.options.map((option) => (
            <option key={JSON.stringify(option)} value={JSON.stringify(option)}>
              {String(option)}
            </option>
          ))}
        </Select>
      );
    case "number":
      // Not `type="number"`: it hides what it cannot read, and the server says it better.
      return <Input {...shared} inputMode={field.isInteger ? "numeric" : "decimal"} className="max-w-40" />;
    case "list":
      return <Textarea {...shared} rows={3} />;
    case "json":
      return <Textarea {...shared} rows={4} className="font-mono" />;
    default: {
      const isLong = field.kind === "text" && field.isLong;
      const maxLength = field.kind === "text" ? field.maxLength : undefined;
      return isLong ? (
        <Textarea {...shared} maxLength={maxLength} />
      ) : (
        <Input {...shared} maxLength={maxLength} />
      );
    }
  }
}

function hintOf(field: ConfigField): string | null {
  const parts = [field.hint];
  if (field.kind === "list") parts.push("One per line.");
  if (field.kind === "json") parts.push("As JSON.");
  if (field.kind === "number" && field.min !== undefined && field.max !== undefined) {
    parts.push(`${field.min} to ${field.max}.`);
  }
  return parts.filter(Boolean).join(" ") || null;
}

/** The first message at `path` or inside it (`config.tags[2]`). */
function errorBelow(error: unknown, path: string): string | null {
  if (!error) return null;
  const found = readError(error).fields.find(
    (field) => field.path === path || field.path.startsWith(`${path}.`) || field.path.startsWith(`${path}[`),
  );
  return found?.message ?? null;
}
