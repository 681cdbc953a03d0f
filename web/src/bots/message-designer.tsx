import type { Button as BotButton, BotResponse, ButtonRows } from '@parley/contract'
import { signal } from '@preact/signals'
import { MessageRow } from '../messages/message.js'
import { call } from '../platform/api.js'
import { Button, ToolButton } from '../ui/button.js'
import { SelectField, TextAreaField, TextField } from '../ui/field.js'
import { botWords } from '../words/bots.js'
import { asMessage, type MessageDesign, messageCopies, setButton } from './design.js'
import { Copies, Faults, JsonField, useTrial } from './design-parts.js'

/** Kept while the client is open, so that a look at another page loses nothing. */
const kept = signal<MessageDesign | null>(null)

function sample(): MessageDesign {
  const bots = botWords()
  const buttons = [
    [
      { text: bots.sampleYes, data: 'roll_out' },
      { text: bots.sampleNo, data: 'later' },
    ],
  ]
  return { content: bots.sampleText, buttons }
}

function readDesign(value: unknown): MessageDesign | undefined {
  const { content, buttons = [] } = (value ?? {}) as Partial<MessageDesign>
  if (typeof content !== 'string' || !Array.isArray(buttons)) return undefined
  const good = buttons.every(
    (row) => Array.isArray(row) && row.length > 0 && row.every((button) => typeof button?.text === 'string'),
  )
  return good ? { content, buttons } : undefined
}

export function MessageDesigner({ bot }: { bot: BotResponse }) {
  const bots = botWords()
  const design = kept.value ?? sample()
  const change = (more: Partial<MessageDesign>) => {
    kept.value = { ...design, ...more }
  }
  const trial = useTrial(
    () => call('sendSampleMessage', { params: { id: bot.id }, body: { message: design } }),
    bots.sent,
  )
  return (
    <div class="design-panes">
      <div class="design-part">
        <TextAreaField
          label={bots.text}
          rows={4}
          value={design.content}
          onText={(content) => change({ content })}
        />
        <Rows rows={design.buttons} onChange={(buttons) => change({ buttons })} />
        <JsonField value={design} read={readDesign} onChange={change} />
      </div>
      <div class="design-part">
        <h2>{bots.preview}</h2>
        {/* Nobody sent it, so that its buttons do nothing here. */}
        <div class="design-preview" inert>
          <MessageRow message={asMessage(bot.id, design, new Date().toISOString())} first />
        </div>
        <Faults faults={trial.faults} />
        <div class="settings-end">
          <Button look="main" icon="send" busy={trial.busy} onClick={() => void trial.send()}>
            {bots.sendToMe}
          </Button>
        </div>
        <Copies copies={messageCopies(design)} />
      </div>
    </div>
  )
}

function Rows({ rows, onChange }: { rows: ButtonRows; onChange(rows: ButtonRows): void }) {
  const bots = botWords()
  const fresh: BotButton = { text: bots.addButton, data: 'data' }
  return (
    <fieldset class="design-rows">
      <legend class="field-label">{bots.buttons}</legend>
      {rows.map((row, index) => (
        <div key={index} class="design-row">
          <b>{bots.rowOf(index + 1)}</b>
          {row.map((button, at) => (
            <ButtonFields
              key={at}
              name={bots.buttonOf(index + 1, at + 1)}
              button={button}
              onChange={(next) => onChange(setButton(rows, index, at, next))}
            />
          ))}
          {row.length < 8 && (
            <Button
              icon="plus"
              look="quiet"
              aria-label={bots.addButtonTo(index + 1)}
              onClick={() => onChange(setButton(rows, index, row.length, fresh))}
            >
              {bots.addButton}
            </Button>
          )}
        </div>
      ))}
      <div class="settings-end">
        <Button icon="plus" disabled={rows.length >= 32} onClick={() => onChange([...rows, [fresh]])}>
          {bots.addRow}
        </Button>
      </div>
    </fieldset>
  )
}

interface ButtonFieldsProps {
  name: string
  button: BotButton
  /** Null takes it away. */
  onChange(button: BotButton | null): void
}

function ButtonFields({ name, button, onChange }: ButtonFieldsProps) {
  const bots = botWords()
  const { text, url, data } = button
  const links = url !== undefined
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset would be drawn as one.
    <div class="design-button" role="group" aria-label={name}>
      <TextField
        label={bots.label}
        maxLength={255}
        value={text}
        onText={(next) => onChange({ ...button, text: next })}
      />
      <SelectField
        label={bots.does}
        value={links ? 'url' : 'data'}
        options={[
          { value: 'data', label: bots.tellsBot },
          { value: 'url', label: bots.opensLink },
        ]}
        onChoose={(does) => onChange(does === 'url' ? { text, url: 'https://' } : { text, data: 'data' })}
      />
      {links ? (
        <TextField
          label={bots.link}
          maxLength={1024}
          value={url}
          onText={(next) => onChange({ text, url: next })}
        />
      ) : (
        <TextField
          label={bots.data}
          maxLength={255}
          value={data ?? ''}
          onText={(next) => onChange({ text, data: next })}
        />
      )}
      <ToolButton icon="trash" label={bots.removeOf(name)} onClick={() => onChange(null)} />
    </div>
  )
}
