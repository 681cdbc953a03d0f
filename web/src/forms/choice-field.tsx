import type { ViewBlockCheckbox, ViewBlockRadio } from '@parley/contract'
import { useId } from 'preact/hooks'
import { describedBy, FieldNotes } from '../ui/field.js'
import type { FormState } from './use-form.js'

interface ChoiceFieldProps {
  field: ViewBlockCheckbox | ViewBlockRadio
  form: FormState
  label: string
  hint: string | undefined
  error: string | undefined
}

/** One of several, or any of several, each with a line about it. */
export function ChoiceField({ field, form, label, hint, error }: ChoiceFieldProps) {
  const id = useId()
  const chosen = form.answers[field.name] as string | readonly string[]
  const many = field.type === 'checkbox'
  const described = describedBy(id, { hint, error })

  function choose(value: string, on: boolean) {
    if (!many) return form.put(field.name, value)
    const rest = (chosen as readonly string[]).filter((one) => one !== value)
    form.put(field.name, on ? [...rest, value] : rest)
  }

  return (
    <fieldset class="radios" aria-describedby={described || undefined}>
      <legend class="field-label">{label}</legend>
      {(field.options ?? []).map(({ text, value, description }, index) => (
        <label key={value} class="choice">
          <input
            type={many ? 'checkbox' : 'radio'}
            class={many ? 'checkbox' : 'radio'}
            name={`${id}-name`}
            aria-invalid={error && index === 0 ? true : undefined}
            checked={many ? chosen.includes(value) : chosen === value}
            onChange={({ currentTarget }) => choose(value, currentTarget.checked)}
          />
          <span>
            {text}
            {description && <span class="choice-hint">{description}</span>}
          </span>
        </label>
      ))}
      <FieldNotes id={id} hint={hint} error={error} />
    </fieldset>
  )
}
