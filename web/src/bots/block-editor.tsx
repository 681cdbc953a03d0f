import type { ViewBlockUnion } from '@parley/contract'
import { ToolButton } from '../ui/button.js'
import { Checkbox } from '../ui/choice.js'
import { TextAreaField, TextField } from '../ui/field.js'
import { botWords } from '../words/bots.js'
import { readOptions, writeOptions } from './design.js'

interface BlockEditorProps {
  number: number
  block: ViewBlockUnion
  onChange(block: ViewBlockUnion): void
  onMove(step: -1 | 1): void
  onRemove(): void
}

/** One block of a form, with what can be said of its kind. */
export function BlockEditor({ number, block, onChange, onMove, onRemove }: BlockEditorProps) {
  const bots = botWords()
  const name = bots.blockOf(number)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset would be drawn as one.
    <div class="design-row" role="group" aria-label={name}>
      <div class="design-block-head">
        <b>{bots.blockKinds[block.type]}</b>
        <ToolButton icon="chevron" class="design-up" label={bots.up(name)} onClick={() => onMove(-1)} />
        <ToolButton icon="chevron" label={bots.down(name)} onClick={() => onMove(1)} />
        <ToolButton icon="trash" label={bots.removeOf(name)} onClick={onRemove} />
      </div>
      <Parts block={block} onChange={onChange} />
    </div>
  )
}

type PartsProps = Pick<BlockEditorProps, 'block' | 'onChange'>

function Parts({ block, onChange }: PartsProps) {
  const bots = botWords()
  if (block.type === 'divider') return null
  if ('text' in block) {
    const Part = block.type === 'header' ? TextField : TextAreaField
    return <Part label={bots.text} value={block.text} onText={(text) => onChange({ ...block, text })} />
  }
  return (
    <>
      <div class="settings-pair">
        <TextField
          label={bots.label}
          maxLength={150}
          value={block.label}
          onText={(label) => onChange({ ...block, label })}
        />
        <TextField
          label={bots.fieldName}
          maxLength={255}
          value={block.name}
          onText={(name) => onChange({ ...block, name })}
        />
      </div>
      <TextField
        label={bots.hint}
        maxLength={2000}
        value={block.hint ?? ''}
        onText={(hint) => onChange(withText(block, 'hint', hint))}
      />
      <Special block={block} onChange={onChange} />
      <Checkbox
        label={bots.required}
        checked={block.required ?? false}
        onChange={(required) => onChange({ ...block, required })}
      />
    </>
  )
}

/** An empty text is left out. */
function withText(block: ViewBlockUnion, key: 'hint' | 'placeholder', text: string): ViewBlockUnion {
  const { [key]: _, ...rest } = block as Record<string, unknown>
  return { ...rest, ...(text === '' ? {} : { [key]: text }) } as ViewBlockUnion
}

function Special({ block, onChange }: PartsProps) {
  const bots = botWords()
  if (block.type === 'input')
    return (
      <>
        <TextField
          label={bots.placeholder}
          maxLength={150}
          value={block.placeholder ?? ''}
          onText={(placeholder) => onChange(withText(block, 'placeholder', placeholder))}
        />
        <Checkbox
          label={bots.multiline}
          checked={block.multiline ?? false}
          onChange={(multiline) => onChange({ ...block, multiline })}
        />
      </>
    )
  if (block.type !== 'select' && block.type !== 'radio' && block.type !== 'checkbox') return null
  return (
    <TextAreaField
      label={bots.options}
      hint={bots.optionsHint}
      rows={3}
      value={writeOptions(block.options)}
      onText={(lines) => onChange({ ...block, options: readOptions(lines, block.options) } as ViewBlockUnion)}
    />
  )
}
