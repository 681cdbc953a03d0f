import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { useAutofocus } from './use-autofocus.js'
import './field.css'

interface FieldProps {
  label: string
  hint?: string | undefined
  error?: string | undefined
  required?: boolean
}

type Wiring = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean; required?: boolean }

/** The ids of the notes that are shown, for `aria-describedby`. */
export function describedBy(id: string, { hint, error }: Pick<FieldProps, 'hint' | 'error'>): string {
  return [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
}

/** The hint and the error below a field. */
export function FieldNotes({ id, hint, error }: { id: string } & Pick<FieldProps, 'hint' | 'error'>) {
  return (
    <>
      {hint && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </>
  )
}

/** A label, a hint and an error around an input. */
export function Field({
  label,
  hint,
  error,
  required,
  children,
}: FieldProps & { children(wiring: Wiring): ComponentChildren }) {
  const id = useId()
  const described = describedBy(id, { hint, error })
  const wiring: Wiring = {
    id,
    ...(described ? { 'aria-describedby': described } : {}),
    ...(error ? { 'aria-invalid': true } : {}),
    ...(required ? { required } : {}),
  }
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      {children(wiring)}
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  )
}

interface TextFieldProps extends FieldProps {
  value: string
  type?: 'text' | 'email' | 'password' | 'search' | 'tel' | 'url' | 'date' | 'time' | 'datetime-local'
  name?: string
  autocomplete?: string
  placeholder?: string
  maxLength?: number
  disabled?: boolean
  autofocus?: boolean
  onText(text: string): void
}

export function TextField({
  label,
  hint,
  error,
  required = false,
  type = 'text',
  autofocus = false,
  onText,
  ...rest
}: TextFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useAutofocus(input, autofocus)
  return (
    <Field label={label} hint={hint} error={error} required={required}>
      {(wiring) => (
        <input
          ref={input}
          {...rest}
          {...wiring}
          // The types know no input whose type is not fixed.
          type={type as 'text'}
          class="input"
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      )}
    </Field>
  )
}

type TextAreaProps = FieldProps & {
  value: string
  rows?: number
  maxLength?: number
  placeholder?: string
  onText(text: string): void
}

export function TextAreaField({ label, hint, error, required = false, onText, ...rest }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error} required={required}>
      {(wiring) => (
        <textarea
          {...rest}
          {...wiring}
          class="input input-tall"
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      )}
    </Field>
  )
}

type SelectFieldProps = FieldProps & {
  value: string
  options: readonly { value: string; label: string }[]
  onChoose(value: string): void
}

export function SelectField({
  label,
  hint,
  error,
  required = false,
  value,
  options,
  onChoose,
}: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} required={required}>
      {(wiring) => (
        <select
          {...wiring}
          class="input"
          value={value}
          onChange={({ currentTarget }) => onChoose(currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
