import { Checkbox } from '../../ui/choice.js'
import { dlpWords } from '../../words/dlp.js'
import { CHANNEL_TYPES, type RuleDraft, USER_ROLES } from './rule-draft.js'

interface ScopeFieldsProps {
  draft: RuleDraft
  onChange(change: Partial<RuleDraft>): void
}

/** Where a rule holds, and for whom. */
export function ScopeFields({ draft, onChange }: ScopeFieldsProps) {
  const dlp = dlpWords()
  return (
    <>
      <Several
        label={dlp.where}
        names={CHANNEL_TYPES}
        labels={dlp.channelTypes}
        chosen={draft.channel_type}
        onChange={(channel_type) => onChange({ channel_type })}
      />
      <Several
        label={dlp.whose}
        names={USER_ROLES}
        labels={dlp.userRoles}
        chosen={draft.user_role}
        onChange={(user_role) => onChange({ user_role })}
      />
      <Checkbox
        label={dlp.toExternal}
        checked={draft.to_external}
        onChange={(to_external) => onChange({ to_external })}
      />
    </>
  )
}

interface SeveralProps<T extends string> {
  label: string
  names: readonly T[]
  labels: Readonly<Record<T, string>>
  chosen: readonly string[]
  onChange(chosen: readonly string[]): void
}

function Several<T extends string>({ label, names, labels, chosen, onChange }: SeveralProps<T>) {
  return (
    <fieldset class="radios">
      <legend class="field-label">{label}</legend>
      <div class="dlp-several">
        {names.map((name) => (
          <Checkbox
            key={name}
            label={labels[name]}
            checked={chosen.includes(name)}
            onChange={(on) => onChange(on ? [...chosen, name] : chosen.filter((one) => one !== name))}
          />
        ))}
      </div>
    </fieldset>
  )
}
