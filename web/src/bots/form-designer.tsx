import type { BotResponse, ViewBlockUnion } from '@parley/contract'
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { BlockView } from '../forms/block-view.js'
import { type Answers, type FormAnswer, initialAnswers } from '../forms/state.js'
import type { FormState } from '../forms/use-form.js'
import { call } from '../platform/api.js'
import { Button } from '../ui/button.js'
import { SelectField, TextField } from '../ui/field.js'
import { botWords } from '../words/bots.js'
import { BlockEditor } from './block-editor.js'
import { BLOCK_KINDS, type FormDesign, formCopies, moved, newBlock } from './design.js'
import { Copies, Faults, JsonField, useTrial } from './design-parts.js'
import '../forms/form-dialog.css'

const kept = signal<FormDesign | null>(null)

function sample(): FormDesign {
  const bots = botWords()
  return {
    title: bots.sampleForm,
    blocks: [
      { type: 'date', name: 'first_day', label: bots.sampleDay, required: true },
      { type: 'input', name: 'reason', label: bots.sampleReason, multiline: true },
    ],
  }
}

const isBlock = (block: unknown): block is ViewBlockUnion =>
  typeof block === 'object' && block !== null && BLOCK_KINDS.includes((block as ViewBlockUnion).type)

function readDesign(value: unknown): FormDesign | undefined {
  const { title, blocks } = (value ?? {}) as Partial<FormDesign>
  if (typeof title !== 'string' || !Array.isArray(blocks) || !blocks.every(isBlock)) return undefined
  return value as FormDesign
}

export function FormDesigner({ bot }: { bot: BotResponse }) {
  const bots = botWords()
  const design = kept.value ?? sample()
  const change = (more: Partial<FormDesign>) => {
    kept.value = { ...design, ...more }
  }
  const trial = useTrial(
    () => call('openSampleForm', { params: { id: bot.id }, body: { view: design } }),
    null,
  )
  return (
    <div class="design-panes">
      <div class="design-part">
        <TextField
          label={bots.formTitle}
          maxLength={24}
          value={design.title}
          onText={(title) => change({ title })}
        />
        <div class="settings-pair">
          <TextField
            label={bots.submitText}
            maxLength={24}
            placeholder="Submit"
            value={design.submit_text ?? ''}
            onText={(submit_text) => change({ submit_text })}
          />
          <TextField
            label={bots.closeText}
            maxLength={24}
            placeholder="Cancel"
            value={design.close_text ?? ''}
            onText={(close_text) => change({ close_text })}
          />
        </div>
        <Blocks blocks={design.blocks} onChange={(blocks) => change({ blocks })} />
        <JsonField value={design} read={readDesign} onChange={change} />
      </div>
      <div class="design-part">
        <h2>{bots.preview}</h2>
        <Preview design={design} />
        <Faults faults={trial.faults} />
        <div class="settings-end">
          <Button look="main" icon="eye" busy={trial.busy} onClick={() => void trial.send()}>
            {bots.openForMe}
          </Button>
        </div>
        <Copies copies={formCopies(design)} />
      </div>
    </div>
  )
}

function Blocks({
  blocks,
  onChange,
}: {
  blocks: readonly ViewBlockUnion[]
  onChange(blocks: ViewBlockUnion[]): void
}) {
  const bots = botWords()
  const put = (at: number, block: ViewBlockUnion) =>
    onChange(blocks.map((one, index) => (index === at ? block : one)))
  return (
    <fieldset class="design-rows">
      <legend class="field-label">{bots.blocks}</legend>
      {blocks.map((block, at) => (
        <BlockEditor
          key={at}
          number={at + 1}
          block={block}
          onChange={(next) => put(at, next)}
          onMove={(step) => onChange(moved(blocks, at, step))}
          onRemove={() => onChange(blocks.filter((_, index) => index !== at))}
        />
      ))}
      <SelectField
        label={bots.addBlock}
        value=""
        options={[
          { value: '', label: '…' },
          ...BLOCK_KINDS.map((kind) => ({ value: kind, label: bots.blockKinds[kind] })),
        ]}
        onChoose={(kind) => {
          const type = kind as ViewBlockUnion['type']
          if (kind) onChange([...blocks, newBlock(type, bots.blockKinds[type], blocks)])
        }}
      />
    </fieldset>
  )
}

/** The form as it opens; it can be filled in and goes nowhere. */
function Preview({ design }: { design: FormDesign }) {
  const [answers, setAnswers] = useState<Answers>({})
  const form: FormState = {
    answers: { ...initialAnswers(design), ...fitting(answers, design) },
    errors: null,
    busy: false,
    changed: false,
    over: false,
    put: (name: string, answer: FormAnswer) => setAnswers((all) => ({ ...all, [name]: answer })),
    setUploading: () => {},
    submit: async () => {},
    close: () => {},
  }
  return (
    <section class="design-preview form" aria-label={design.title}>
      <b class="form-heading">{design.title}</b>
      {design.blocks.map((block, index) => (
        <BlockView key={`${block.type}${index}`} block={block} form={form} />
      ))}
      <div class="settings-end">
        <span class="button button-plain">{design.close_text || 'Cancel'}</span>
        <span class="button button-main">{design.submit_text || 'Submit'}</span>
      </div>
    </section>
  )
}

/** A field that became one of another kind forgets what was filled in. */
function fitting(answers: Answers, design: FormDesign): Answers {
  const initial = initialAnswers(design)
  return Object.fromEntries(
    Object.entries(answers).filter(
      ([name, answer]) => name in initial && Array.isArray(initial[name]) === Array.isArray(answer),
    ),
  )
}
