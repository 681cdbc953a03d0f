import type { BotCreateRequest } from '@parley/contract'
import { state } from '../store.js'
import { Checkbox, RadioGroup } from '../ui/choice.js'
import { SelectField, TextField } from '../ui/field.js'
import { botWords } from '../words/bots.js'
import type { FieldFaults } from './use-saving.js'

/** Settings that a bot is made with; lists are edited as words. */
export type Draft = Required<
  Pick<
    BotCreateRequest['webhook'],
    'name' | 'nickname' | 'trigger_on' | 'who_can_add' | 'can_edit' | 'ignore_self_messages'
  >
> & { commands: string; unfurl_domains: string }

export const wordsIn = (text: string) => text.split(/[\s,]+/).filter(Boolean)

interface FieldsProps {
  value: Draft
  faults: FieldFaults
  /** Name, nickname and who may edit are for those who manage the bot. */
  manages?: boolean
  onChange(change: Partial<Draft>): void
}

/** What a bot is and what it hears, each with a line about what it does. */
export function SettingFields({ value, faults, manages = true, onChange: set }: FieldsProps) {
  const bots = botWords()
  return (
    <>
      {manages && <Names value={value} faults={faults} onChange={set} />}
      <Hearing value={value} faults={faults} onChange={set} />
      <SelectField
        label={bots.whoCanAdd}
        hint={bots.whoCanAddHint}
        value={value.who_can_add}
        options={(Object.keys(bots.adders) as (keyof typeof bots.adders)[]).map((adder) => ({
          value: adder,
          label: bots.adders[adder],
        }))}
        onChoose={(adder) => set({ who_can_add: adder as Draft['who_can_add'] })}
      />
      <Checkbox
        label={bots.ignoreSelf}
        hint={bots.ignoreSelfHint}
        checked={value.ignore_self_messages}
        onChange={(on) => set({ ignore_self_messages: on })}
      />
      {manages && <Editors value={value} onChange={set} />}
    </>
  )
}

type PartProps = Pick<FieldsProps, 'value' | 'onChange'> & { faults: FieldFaults }

function Names({ value, faults, onChange: set }: PartProps) {
  const bots = botWords()
  return (
    <>
      <TextField
        label={bots.name}
        hint={bots.nameHint}
        maxLength={255}
        required
        value={value.name}
        error={faults.name}
        onText={(name) => set({ name })}
      />
      <TextField
        label={bots.nickname}
        hint={bots.nicknameHint}
        maxLength={255}
        value={value.nickname}
        error={faults.nickname}
        onText={(nickname) => set({ nickname })}
      />
    </>
  )
}

function Hearing({ value, faults, onChange: set }: PartProps) {
  const bots = botWords()
  const role = state.session.value?.role
  const admin = role === 'owner' || role === 'admin'
  const offered = (['commands', 'all_messages', 'unfurl'] as const).filter(
    (one) => one !== 'unfurl' || admin || value.trigger_on === 'unfurl',
  )
  return (
    <>
      <RadioGroup
        label={bots.triggerOn}
        value={value.trigger_on}
        options={offered.map((one) => {
          const [label = '', hint = ''] = bots.triggers[one]
          return { value: one, label, hint }
        })}
        onChoose={(trigger_on) => set({ trigger_on })}
      />
      {value.trigger_on === 'commands' && (
        <TextField
          label={bots.commands}
          hint={bots.commandsHint}
          value={value.commands}
          error={faults.commands}
          onText={(commands) => set({ commands })}
        />
      )}
      {value.trigger_on === 'unfurl' && (
        <TextField
          label={bots.unfurlDomains}
          hint={bots.unfurlDomainsHint}
          value={value.unfurl_domains}
          error={faults.unfurl_domains}
          onText={(unfurl_domains) => set({ unfurl_domains })}
        />
      )}
    </>
  )
}

function Editors({ value, onChange: set }: Pick<FieldsProps, 'value' | 'onChange'>) {
  const bots = botWords()
  return (
    <fieldset class="radios">
      <legend class="field-label">{bots.canEdit}</legend>
      {(['admin', 'chat_owners'] as const).map((one) => {
        const [label = '', hint = ''] = bots.editors[one]
        const rest = value.can_edit.filter((editor) => editor !== one)
        return (
          <Checkbox
            key={one}
            label={label}
            hint={hint}
            checked={value.can_edit.includes(one)}
            onChange={(on) => set({ can_edit: on ? [...rest, one] : rest })}
          />
        )
      })}
    </fieldset>
  )
}
