import type { Button, ButtonRows, OpenViewRequest, TimelineMessage, ViewBlockUnion } from '@parley/contract'
import type { Fault } from '../platform/api.js'

/** A message or a form while it is made. */
export interface MessageDesign {
  content: string
  buttons: ButtonRows
}
export type FormDesign = Required<Pick<OpenViewRequest, 'view'>>['view']

type BlockKind = ViewBlockUnion['type']
export const BLOCK_KINDS: readonly BlockKind[] = [
  'header',
  'plain_text',
  'markdown',
  'divider',
  'input',
  'select',
  'radio',
  'checkbox',
  'date',
  'time',
  'file_input',
]

/** A new block of this kind; fields get a name that no other block has. */
export function newBlock(type: BlockKind, label: string, blocks: readonly ViewBlockUnion[]): ViewBlockUnion {
  if (type === 'divider') return { type }
  if (type === 'header' || type === 'plain_text' || type === 'markdown') return { type, text: label }
  const names = new Set(blocks.map((block) => ('name' in block ? block.name : '')))
  let number = 1
  while (names.has(`field${number}`)) number += 1
  const field = { name: `field${number}`, label }
  if (type !== 'select' && type !== 'radio' && type !== 'checkbox') return { type, ...field }
  return {
    type,
    ...field,
    options: [
      { value: 'a', text: 'A' },
      { value: 'b', text: 'B' },
    ],
  }
}

/** Choices as lines of `value = text`; what a line does not say stays as it was. */
export function writeOptions(options: readonly { value: string; text: string }[] = []): string {
  return options.map(({ value, text }) => (value === text ? value : `${value} = ${text}`)).join('\n')
}

export function readOptions(lines: string, before: readonly { value: string }[] = []) {
  const known = new Map(before.map((option) => [option.value, option]))
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const at = line.indexOf('=')
      const value = (at < 0 ? line : line.slice(0, at)).trim()
      const text = at < 0 ? value : line.slice(at + 1).trim()
      return { ...known.get(value), value, text }
    })
}

/** Rows that lost their last button are gone. */
export function setButton(rows: ButtonRows, row: number, at: number, button: Button | null): ButtonRows {
  return rows
    .map((buttons, index) => {
      if (index !== row) return buttons
      const next = [...buttons]
      if (button) next[at] = button
      else next.splice(at, 1)
      return next
    })
    .filter((buttons) => buttons.length > 0)
}

/** Moves one by a step; the ends stay where they are. */
export function moved<T>(items: readonly T[], from: number, step: -1 | 1): T[] {
  const next = [...items]
  const to = from + step
  const [item] = next.splice(from, 1)
  if (item === undefined || to < 0 || to > next.length) return [...items]
  next.splice(to, 0, item)
  return next
}

/** A message of the bot as the client shows it. */
export function asMessage(bot_id: number, { content, buttons }: MessageDesign, at: string): TimelineMessage {
  return {
    id: 0,
    entity_type: 'user',
    entity_id: bot_id,
    chat_id: 0,
    root_chat_id: 0,
    content,
    user_id: bot_id,
    created_at: at,
    url: '',
    files: [],
    voice_content: null,
    buttons: buttons.length > 0 ? buttons : null,
    thread: null,
    forwarding: null,
    parent_message_id: null,
    changed_at: at,
    deleted_at: null,
    system: false,
    reactions: [],
    link_previews: [],
    pinned: false,
    mentioned: false,
    quoted: null,
    system_event: null,
    edited: false,
  }
}

const written = (value: unknown) => JSON.stringify(value, null, 2)
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

export interface Copy {
  name: string
  language: string
  text: string
}

function copiesOf(path: string, operation: string, body: object): Copy[] {
  const { origin } = location
  return [
    { name: 'JSON', language: 'json', text: written(body) },
    {
      name: 'curl',
      language: 'bash',
      text: `curl ${origin}/v1${path} \\\n  -H "Authorization: Bearer $PARLEY_TOKEN" \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(written(body))}\n`,
    },
    {
      name: 'SDK',
      language: 'js',
      text: `import { createClient } from '@parley/sdk'\n\nconst parley = createClient({ base_url: '${origin}/v1', token: process.env.PARLEY_TOKEN })\nawait parley.${operation}({ body: ${written(body)} })\n`,
    },
  ]
}

/** The message in the forms that a maker of a bot needs it in. */
export function messageCopies({ content, buttons }: MessageDesign): Copy[] {
  const message = { entity_id: 1, content, ...(buttons.length > 0 ? { buttons } : {}) }
  return copiesOf('/messages', 'createMessage', { message })
}

/** The trigger comes with the press of a button. */
export function formCopies(view: FormDesign): Copy[] {
  return copiesOf('/views/open', 'openView', { type: 'modal', trigger_id: 'TRIGGER_ID', view })
}

/** `view.blocks.2.label` is the block 3 and its part `label`. */
export function placeOf({ key }: Fault): { block: number | null; part: string } {
  const parts = (key ?? '').split('.')
  const at = parts.indexOf('blocks')
  const index = Number(parts[at + 1])
  const block = at >= 0 && Number.isInteger(index) ? index + 1 : null
  return { block, part: parts.slice(block === null ? -1 : at + 2).join('.') }
}
