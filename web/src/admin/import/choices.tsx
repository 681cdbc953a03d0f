import type { ImportOrderRequest } from '@parley/contract'
import { Checkbox } from '../../ui/choice.js'
import { SelectField, TextAreaField, TextField } from '../../ui/field.js'
import { importWords } from '../../words/imports.js'

export type Options = NonNullable<ImportOrderRequest['import']['options']>
export interface Chosen {
  options: Options
  workspace: string
  /** In PEM. */
  public_key: string
}

const USUAL: Options = {
  only_public: false,
  without_files: false,
  system_messages: 'keep',
  guests: 'guest',
  deactivated: 'suspended',
  topics: 'threads',
  name_prefix: '',
}

/**
 * The choices that were made, as they are sent: days begin at midnight here. What was chosen and taken back is left out, since a
 * portable file is imported without any.
 */
export function requestOf({ options, workspace, public_key }: Chosen) {
  const { since, until, ...others } = options
  const midnight = (day: string) => new Date(`${day}T00:00`).toISOString()
  const made = Object.entries(others).filter(([name, value]) => value !== USUAL[name as keyof Options])
  const given: Options = {
    ...Object.fromEntries(made),
    ...(since ? { since: midnight(since) } : {}),
    ...(until ? { until: midnight(until) } : {}),
  }
  return {
    options: given,
    ...(workspace.trim() ? { workspace: workspace.trim() } : {}),
    ...(public_key.trim() ? { public_key: public_key.trim() } : {}),
  }
}

/** What comes along and what becomes of it; shut until somebody opens it. */
export function Choices({ chosen, onChange }: { chosen: Chosen; onChange(chosen: Chosen): void }) {
  const imports = importWords()
  const { options, workspace, public_key } = chosen
  const set = (more: Options) => onChange({ ...chosen, options: { ...options, ...more } })
  return (
    <details>
      <summary class="import-summary">{imports.choices}</summary>
      <div class="import-choices">
        <Checkbox
          label={imports.onlyPublic}
          checked={options.only_public ?? false}
          onChange={(only_public) => set({ only_public })}
        />
        <Checkbox
          label={imports.withoutFiles}
          checked={options.without_files ?? false}
          onChange={(without_files) => set({ without_files })}
        />
        <Checkbox
          label={imports.withoutSystem}
          checked={options.system_messages === 'skip'}
          onChange={(skip) => set({ system_messages: skip ? 'skip' : 'keep' })}
        />
        <PeopleFields options={options} onSet={set} />
        <SelectField
          label={imports.topics}
          value={options.topics ?? 'threads'}
          options={optionsOf(imports.topicKinds)}
          onChoose={(kind) => set({ topics: kind as keyof typeof imports.topicKinds })}
        />
        <PeriodFields options={options} onSet={set} />
        <TextField
          label={imports.prefix}
          maxLength={100}
          value={options.name_prefix ?? ''}
          onText={(name_prefix) => set({ name_prefix })}
        />
        <TextField
          label={imports.workspace}
          hint={imports.workspaceHint}
          maxLength={100}
          value={workspace}
          onText={(text) => onChange({ ...chosen, workspace: text })}
        />
        <TextAreaField
          label={imports.publicKey}
          hint={imports.publicKeyHint}
          maxLength={1000}
          rows={3}
          value={public_key}
          onText={(text) => onChange({ ...chosen, public_key: text })}
        />
      </div>
    </details>
  )
}

interface PartProps {
  options: Options
  onSet(more: Options): void
}

function PeopleFields({ options, onSet }: PartProps) {
  const { guests, guestKinds, deactivated, deactivatedKinds } = importWords()
  return (
    <>
      <SelectField
        label={guests}
        value={options.guests ?? 'guest'}
        options={optionsOf(guestKinds)}
        onChoose={(kind) => onSet({ guests: kind as keyof typeof guestKinds })}
      />
      <SelectField
        label={deactivated}
        value={options.deactivated ?? 'suspended'}
        options={optionsOf(deactivatedKinds)}
        onChoose={(kind) => onSet({ deactivated: kind as keyof typeof deactivatedKinds })}
      />
    </>
  )
}

function PeriodFields({ options, onSet }: PartProps) {
  const imports = importWords()
  return (
    <div class="admin-tools">
      <TextField
        label={imports.since}
        type="date"
        value={options.since ?? ''}
        onText={(since) => onSet({ since })}
      />
      <TextField
        label={imports.until}
        type="date"
        value={options.until ?? ''}
        onText={(until) => onSet({ until })}
      />
    </div>
  )
}

const optionsOf = (kinds: Record<string, string>) =>
  Object.entries(kinds).map(([value, label]) => ({ value, label }))
