import type { DlpRule } from '@parley/contract'
import { call } from '../../platform/api.js'
import { Checkbox } from '../../ui/choice.js'
import { SelectField, TextField } from '../../ui/field.js'
import { dlpWords } from '../../words/dlp.js'
import { DraftDialog, type DraftFieldsProps, useDraft } from '../draft-dialog.js'
import { ConditionFields } from './condition-fields.js'
import { ACTIONS, bodyOf, newDraft, type RuleDraft, readDraft } from './rule-draft.js'
import { findRuleFaults } from './rule-faults.js'
import { ScopeFields } from './scope-fields.js'
import { Trial } from './trial.js'
import './rule-dialog.css'

const PRIORITY_AT_MOST = 1_000_000

function priorityIn(text: string): number | undefined {
  const priority = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isInteger(priority) && Math.abs(priority) <= PRIORITY_AT_MOST ? priority : undefined
}

interface RuleDialogProps {
  /** Null for a new one. */
  rule: DlpRule | null
  /** Of a new one. */
  priority: number
  onClose(): void
  onSaved(): void
}

/** Writes a rule, and tries it before it is kept. */
export function RuleDialog({ rule, priority, onClose, onSaved }: RuleDialogProps) {
  const dlp = dlpWords()
  const keep = (draft: RuleDraft) => {
    const place = priorityIn(draft.priority) as number
    const body = { name: draft.name.trim(), priority: place, enabled: draft.enabled, body: bodyOf(draft) }
    return findRuleFaults(() =>
      rule ? call('updateDlpRule', { params: { id: rule.id }, body }) : call('createDlpRule', { body }),
    )
  }
  const begin = () => (rule ? readDraft(rule) : newDraft(priority))
  const { draft, fields, setFaults, saving } = useDraft(begin, keep, onSaved)
  return (
    <DraftDialog
      title={rule ? dlp.edit(rule.name) : dlp.create}
      saving={saving}
      incomplete={priorityIn(draft.priority) === undefined}
      onClose={onClose}
    >
      <MainFields {...fields} />
      <ConditionFields {...fields} />
      <ActionFields {...fields} />
      <ScopeFields draft={draft} onChange={fields.onChange} />
      <Trial body={bodyOf(draft)} onFaults={setFaults} />
    </DraftDialog>
  )
}

type FieldsProps = DraftFieldsProps<RuleDraft>

function MainFields({ draft, faults, onChange }: FieldsProps) {
  const dlp = dlpWords()
  const wrong = priorityIn(draft.priority) === undefined
  return (
    <>
      <TextField
        label={dlp.name}
        maxLength={255}
        autofocus
        value={draft.name}
        error={faults.name}
        onText={(name) => onChange({ name })}
      />
      <TextField
        label={dlp.priority}
        hint={dlp.priorityHint}
        value={draft.priority}
        error={wrong ? dlp.wrongPriority : faults.priority}
        onText={(priority) => onChange({ priority })}
      />
      <Checkbox label={dlp.enabled} checked={draft.enabled} onChange={(enabled) => onChange({ enabled })} />
    </>
  )
}

function ActionFields({ draft, faults, onChange }: FieldsProps) {
  const dlp = dlpWords()
  return (
    <>
      <SelectField
        label={dlp.action}
        value={draft.action}
        options={ACTIONS.map((action) => ({ value: action, label: dlp.actions[action] }))}
        onChoose={(action) => onChange({ action: action as RuleDraft['action'] })}
      />
      {draft.action !== 'AUDIT_LOG' && (
        <TextField
          label={dlp.message}
          hint={dlp.messageHint}
          maxLength={1000}
          value={draft.message}
          error={faults['body.action.message']}
          onText={(message) => onChange({ message })}
        />
      )}
    </>
  )
}
