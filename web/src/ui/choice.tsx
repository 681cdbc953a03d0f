import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import './choice.css'

interface CheckboxProps {
  label: ComponentChildren
  hint?: string
  checked: boolean
  disabled?: boolean
  /** Said by screen readers where the label alone says too little; begins or ends with it. */
  spoken?: string
  /** A switch takes effect at once, a checkbox when the form is sent. */
  look?: 'checkbox' | 'switch'
  onChange(checked: boolean): void
}

export function Checkbox({
  label,
  hint,
  checked,
  disabled = false,
  look = 'checkbox',
  spoken,
  onChange,
}: CheckboxProps) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        class={look}
        role={look === 'switch' ? 'switch' : undefined}
        aria-label={spoken}
        checked={checked}
        disabled={disabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>
        {label}
        {hint && <span class="choice-hint">{hint}</span>}
      </span>
    </label>
  )
}

interface RadioGroupProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string; hint?: string }[]
  onChoose(value: T): void
}

export function RadioGroup<T extends string>({ label, value, options, onChoose }: RadioGroupProps<T>) {
  const name = useId()
  return (
    <fieldset class="radios">
      <legend class="field-label">{label}</legend>
      {options.map((option) => (
        <label key={option.value} class="choice">
          <input
            type="radio"
            class="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChoose(option.value)}
          />
          <span>
            {option.label}
            {option.hint && <span class="choice-hint">{option.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
