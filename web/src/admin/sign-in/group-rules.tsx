import { Button } from '../../ui/button.js'
import { SelectField, TextField } from '../../ui/field.js'
import { signInWords } from '../../words/sign-in.js'
import type { Faults } from '../find-faults.js'
import { newRule, type ProviderDraft, type RuleDraft } from './provider-draft.js'
import './group-rules.css'

interface GroupRulesProps {
  draft: ProviderDraft
  faults: Faults
  onChange(change: Partial<ProviderDraft>): void
}

/** Which groups of the provider give which role and tag. */
export function GroupRules({ draft, faults, onChange }: GroupRulesProps) {
  const say = signInWords()
  const { rules } = draft
  const set = (next: readonly RuleDraft[]) => onChange({ rules: next })
  return (
    <fieldset class="stack">
      <legend class="field-label">{say.groups}</legend>
      <p class="quiet">{say.groupsText}</p>
      {rules.length > 0 && (
        <TextField
          label={say.groupsClaim}
          maxLength={255}
          value={draft.groups_claim}
          onText={(groups_claim) => onChange({ groups_claim })}
        />
      )}
      {rules.map((rule, index) => (
        <OneRule
          key={rule.key}
          number={index + 1}
          rule={rule}
          onChange={(change) => set(rules.with(index, { ...rule, ...change }))}
          onRemove={() => set(rules.toSpliced(index, 1))}
        />
      ))}
      {faults.group_rules && (
        <p class="field-error" role="alert">
          {faults.group_rules}
        </p>
      )}
      <div>
        <Button icon="plus" onClick={() => set([...rules, newRule()])}>
          {say.addRule}
        </Button>
      </div>
    </fieldset>
  )
}

interface OneRuleProps {
  number: number
  rule: RuleDraft
  onChange(change: Partial<RuleDraft>): void
  onRemove(): void
}

function OneRule({ number, rule, onChange, onRemove }: OneRuleProps) {
  const say = signInWords()
  const { roles } = say
  return (
    <fieldset class="group-rule">
      <legend class="field-label">{say.group(number)}</legend>
      <TextField
        label={say.groupName}
        maxLength={255}
        value={rule.group}
        onText={(group) => onChange({ group })}
      />
      <SelectField
        label={say.role}
        value={rule.role}
        options={[
          { value: '', label: say.noRole },
          ...(Object.keys(roles) as (keyof typeof roles)[]).map((role) => ({
            value: role,
            label: roles[role],
          })),
        ]}
        onChoose={(role) => onChange({ role: role as RuleDraft['role'] })}
      />
      <TextField
        label={say.tag}
        hint={say.tagHint}
        maxLength={255}
        value={rule.tag}
        onText={(tag) => onChange({ tag })}
      />
      <Button look="quiet" icon="trash" onClick={onRemove}>
        {say.removeRule(number)}
      </Button>
    </fieldset>
  )
}
