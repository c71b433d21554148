import { type ReactNode, useId } from "react";
import { classNames } from "@/components/class-names";
import { Checkbox } from "@/components/field";

/** Fields that belong together, under their name. */
export function Fieldset({
  legend,
  isFramed,
  children,
}: {
  legend: ReactNode;
  /** For a part of a form that can be left alone. */
  isFramed?: boolean;
  children: ReactNode;
}) {
  return (
    <fieldset className={classNames(isFramed && "rounded-md border border-line px-3 pb-3")}>
      <legend className={classNames("text-sm font-medium", isFramed && "px-1")}>{legend}</legend>
      {/* A block of its own: what spaces children apart would count the legend among them. */}
      <div className={classNames("space-y-3", isFramed ? "pt-1" : "pt-1.5")}>{children}</div>
    </fieldset>
  );
}

/** Any number of a few choices, in the order in which they are listed. */
export function CheckboxGroup<Value extends string>({
  legend,
  choices,
  chosen,
  onChange,
  columns = 1,
}: {
  legend: ReactNode;
  choices: readonly { value: Value; label: ReactNode; hint?: ReactNode }[];
  chosen: readonly Value[];
  onChange(chosen: Value[]): void;
  columns?: 1 | 2;
}) {
  return (
    <Fieldset legend={legend}>
      <div className={classNames("grid gap-2", columns === 2 && "xs:grid-cols-2")}>
        {choices.map(({ value, label, hint }) => (
          <Checkbox
            key={value}
            checked={chosen.includes(value)}
            onChange={({ target }) =>
              onChange(
                choices
                  .map((choice) => choice.value)
                  .filter((other) => (other === value ? target.checked : chosen.includes(other))),
              )
            }
            label={label}
            hint={hint}
          />
        ))}
      </div>
    </Fieldset>
  );
}

/** One of a few choices, each with what it means: where a list to fold out would hide that. */
export function RadioGroup<Value extends string>({
  legend,
  choices,
  value,
  onChange,
}: {
  legend: ReactNode;
  choices: readonly { value: Value; label: ReactNode; hint?: ReactNode }[];
  value: Value;
  onChange(value: Value): void;
}) {
  const name = useId();
  return (
    <Fieldset legend={legend}>
      <div className="grid gap-2">
        {choices.map((choice) => (
          <label key={choice.value} className="flex items-start gap-2 text-sm max-md:py-1.5">
            <input
              type="radio"
              name={name}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
              className="mt-0.5 size-4 shrink-0 accent-(--accent)"
            />
            <span>
              {choice.label}
              {choice.hint && <span className="block text-xs text-ink-muted">{choice.hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </Fieldset>
  );
}
