import type { BotTriggerOn, Endpoint, EndpointRequest, EndpointSignature } from '@parley/contract'
import { useId, useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { words } from '../platform/i18n.js'
import { ChatIdsField } from '../tokens/chat-ids-field.js'
import { Button } from '../ui/button.js'
import { RadioGroup } from '../ui/choice.js'
import { Dialog } from '../ui/dialog.js'
import { SelectField, TextField } from '../ui/field.js'
import { Form } from '../ui/form.js'
import { botWords } from '../words/bots.js'
import { EventChecks } from './event-checks.js'
import { type FieldFaults, fieldFaults } from './use-saving.js'

const TRIGGERS: readonly BotTriggerOn[] = ['commands', 'all_messages', 'unfurl']
const FRESH: EndpointRequest = { name: '', url: '', events: ['message_new'], trigger: 'commands' }

interface EndpointDialogProps {
  /** None for a new one. */
  endpoint: Endpoint | null
  /** Rejects with what the server refused. */
  onSave(input: EndpointRequest): Promise<void>
  onClose(): void
}

/** A further address of a bot: what it hears, of which chats, and how it is signed. */
export function EndpointDialog({ endpoint, onSave, onClose }: EndpointDialogProps) {
  const bots = botWords()
  const { common } = words()
  const form = useId()
  const [value, setValue] = useState(endpoint ? inputOf(endpoint) : FRESH)
  const [faults, setFaults] = useState<FieldFaults>({})
  const [busy, setBusy] = useState(false)
  const set = (change: Partial<EndpointRequest>) => {
    setValue({ ...value, ...change })
    setFaults({})
  }

  async function save() {
    setBusy(true)
    await attempt(async () => {
      try {
        await onSave({ ...value, name: value.name.trim(), url: value.url.trim() })
      } catch (error) {
        const found = fieldFaults(error)
        if (!found) throw error
        setFaults(found)
      }
    })
    setBusy(false)
  }
  return (
    <Dialog
      title={endpoint?.name ?? bots.newEndpoint}
      closeLabel={common.close}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="main" busy={busy} type="submit" form={form}>
            {common.save}
          </Button>
        </>
      }
    >
      <Form id={form} class="stack" onSubmit={save}>
        <EndpointFields value={value} faults={faults} isNew={endpoint === null} onChange={set} />
      </Form>
    </Dialog>
  )
}

interface EndpointFieldsProps {
  value: EndpointRequest
  faults: FieldFaults
  isNew: boolean
  onChange(change: Partial<EndpointRequest>): void
}

function EndpointFields({ value, faults, isNew, onChange }: EndpointFieldsProps) {
  const bots = botWords()
  return (
    <>
      <TextField
        label={bots.name}
        hint={bots.endpointNameHint}
        autofocus
        maxLength={64}
        value={value.name}
        error={faults.name}
        onText={(name) => onChange({ name })}
      />
      <TextField
        label={bots.address}
        type="url"
        placeholder="https://"
        value={value.url}
        error={faults.url}
        onText={(url) => onChange({ url })}
      />
      <SelectField
        label={bots.triggerOn}
        value={value.trigger ?? 'commands'}
        options={TRIGGERS.map((one) => ({ value: one, label: bots.triggers[one][0] ?? one }))}
        onChoose={(trigger) => onChange({ trigger: trigger as BotTriggerOn })}
      />
      <EventChecks further value={value.events ?? []} onChange={(events) => onChange({ events })} />
      <ChatIdsField
        value={value.chat_ids ?? []}
        fault={faults.chat_ids}
        onChange={(ids) => onChange({ chat_ids: ids.length > 0 ? ids : null })}
      />
      {isNew && (
        <RadioGroup<EndpointSignature>
          label={bots.signature}
          value={value.signature ?? 'hmac'}
          options={[
            { value: 'hmac', label: 'HMAC-SHA256', hint: bots.hmacHint },
            { value: 'ed25519', label: 'Ed25519', hint: bots.ed25519Hint },
          ]}
          onChoose={(signature) => onChange({ signature })}
        />
      )}
    </>
  )
}

function inputOf({ name, url, events, chat_ids, trigger }: Endpoint): EndpointRequest {
  return { name, url, events, chat_ids, trigger }
}
