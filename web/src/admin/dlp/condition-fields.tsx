import { Button } from '../../ui/button.js'
import { SelectField, TextField } from '../../ui/field.js'
import { dlpWords } from '../../words/dlp.js'
import type { Faults } from '../find-faults.js'
import { type ConditionDraft, newCondition, type RuleDraft } from './rule-draft.js'

interface ConditionFieldsProps {
  draft: RuleDraft
  faults: Faults
  onChange(change: Partial<RuleDraft>): void
}

/** What a message is searched for. */
export function ConditionFields({ draft, faults, onChange }: ConditionFieldsProps) {
  const dlp = dlpWords()
  const { conditions, join } = draft
  if (!conditions) return <p>{dlp.nestedKept}</p>
  const set = (next: readonly ConditionDraft[]) => onChange({ conditions: next })
  return (
    <>
      <SelectField
        label={dlp.join}
        value={join}
        options={[
          { value: 'any', label: dlp.joins.any },
          { value: 'all', label: dlp.joins.all },
        ]}
        onChoose={(value) => onChange({ join: value as RuleDraft['join'] })}
      />
      {conditions.map((condition, index) => (
        <OneCondition
          key={condition.key}
          number={index + 1}
          condition={condition}
          faultAt={(field) => faults[`body.conditions.${join}.${index}.${field}`]}
          onChange={(change) => set(conditions.with(index, { ...condition, ...change }))}
          onRemove={conditions.length > 1 ? () => set(conditions.toSpliced(index, 1)) : undefined}
        />
      ))}
      <div>
        <Button icon="plus" onClick={() => set([...conditions, newCondition()])}>
          {dlp.addCondition}
        </Button>
      </div>
    </>
  )
}

interface OneConditionProps {
  number: number
  condition: ConditionDraft
  faultAt(field: 'value' | 'pattern' | 'min_hits' | 'max_hits'): string | undefined
  onChange(change: Partial<ConditionDraft>): void
  onRemove?: (() => void) | undefined
}

function OneCondition({ number, condition, faultAt, onChange, onRemove }: OneConditionProps) {
  const dlp = dlpWords()
  const { type, text, min_hits, max_hits } = condition
  return (
    <fieldset class="dlp-condition">
      <legend class="field-label">{dlp.condition(number)}</legend>
      <SelectField
        label={dlp.kind}
        value={type}
        options={[
          { value: 'keyword', label: dlp.kinds.keyword },
          { value: 'regex', label: dlp.kinds.regex },
        ]}
        onChoose={(kind) => onChange({ type: kind as ConditionDraft['type'] })}
      />
      <TextField
        label={dlp.kinds[type]}
        hint={dlp.kindHints[type]}
        maxLength={2000}
        value={text}
        error={faultAt(type === 'regex' ? 'pattern' : 'value')}
        onText={(next) => onChange({ text: next })}
      />
      <TextField
        label={dlp.minHits}
        value={min_hits}
        error={faultAt('min_hits')}
        onText={(next) => onChange({ min_hits: next })}
      />
      <TextField
        label={dlp.maxHits}
        placeholder={dlp.noLimit}
        value={max_hits}
        error={faultAt('max_hits')}
        onText={(next) => onChange({ max_hits: next })}
      />
      {onRemove && (
        <Button look="quiet" icon="trash" onClick={onRemove}>
          {dlp.removeCondition(number)}
        </Button>
      )}
    </fieldset>
  )
}
