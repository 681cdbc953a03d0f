import type { ScopeGroup } from '@parley/contract/scope-texts'
import { Checkbox } from '../ui/choice.js'
import { accessWords } from '../words/access.js'
import { groupScopes } from './scopes.js'
import './scope-fields.css'

interface ScopeFieldsProps {
  /** Those that may be given. */
  offered: readonly string[]
  chosen: readonly string[]
  error?: string | undefined
  onChange(chosen: readonly string[]): void
}

/** Rights to tick, by what they are about. */
export function ScopeFields({ offered, chosen, error, onChange }: ScopeFieldsProps) {
  const set = (scopes: readonly string[], on: boolean) =>
    onChange(offered.filter((scope) => (scopes.includes(scope) ? on : chosen.includes(scope))))
  return (
    <fieldset class="scopes">
      <legend class="field-label">{accessWords().rights}</legend>
      <div class="scope-groups scroll">
        {groupScopes(offered).map((group) => (
          <Group key={group.name} group={group} chosen={chosen} onSet={set} />
        ))}
      </div>
      {error && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

interface GroupProps {
  group: ScopeGroup
  chosen: readonly string[]
  onSet(scopes: readonly string[], on: boolean): void
}

function Group({ group: { title, scopes }, chosen, onSet }: GroupProps) {
  const names = scopes.map(({ scope }) => scope)
  const all = names.every((name) => chosen.includes(name))
  return (
    <div class="scope-group">
      {scopes.length > 1 ? (
        <Checkbox
          label={<b>{title}</b>}
          spoken={accessWords().allOf(title)}
          checked={all}
          onChange={(on) => onSet(names, on)}
        />
      ) : (
        <b class="scope-title">{title}</b>
      )}
      <div class="scope-verbs">
        {scopes.map(({ scope, label }) => (
          <Checkbox
            key={scope}
            label={label}
            spoken={`${title}: ${label}`}
            checked={chosen.includes(scope)}
            onChange={(on) => onSet([scope], on)}
          />
        ))}
      </div>
    </div>
  )
}
