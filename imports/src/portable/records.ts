import { createHash } from 'node:crypto'
import type { LineKind } from './layout.js'
import type { Line } from './lines.js'

/** A line of a portable file. Unlike records of other sources it says everything that this product knows of a thing. */
export type PortableRecord = { [K in PortableKind]: PortableRecordOf<K> }[PortableKind]

export type PortableKind = LineKind

export interface PortableRecordOf<K extends PortableKind> {
  kind: K
  /** What the line is known by among those of its kind. */
  key: string
  /** Messages are written in the order of their ids, records of the audit log in that of their positions. */
  order: number
  line: Line<K>
}

type Keys = { [K in PortableKind]: (line: Line<K>) => string | number }

const KEYS: Keys = {
  person: ({ id }) => id,
  bot: ({ id }) => id,
  tag: ({ id }) => id,
  tag_member: ({ tag_id, person_id }) => `${tag_id}:${person_id}`,
  property: ({ id }) => id,
  property_value: ({ property_id, person_id }) => `${property_id}:${person_id}`,
  file: ({ id }) => id,
  chat: ({ id }) => id,
  chat_member: ({ chat_id, person_id }) => `${chat_id}:${person_id}`,
  endpoint: ({ bot_id, name }) => `${bot_id}:${name}`,
  message: ({ id }) => id,
  thread: ({ id }) => id,
  reaction: ({ message_id, person_id, emoji }) => `${message_id}:${person_id}:${emoji}`,
  pin: ({ message_id }) => message_id,
  read: ({ chat_id, person_id }) => `${chat_id}:${person_id}`,
  draft: ({ id }) => id,
  task: ({ id }) => id,
  setting: (line) =>
    line.setting === 'company'
      ? line.setting
      : line.setting === 'dlp_rule'
        ? `${line.setting}:${line.id}`
        : `${line.setting}:${line.created_at}`,
  import_key: ({ source, source_workspace, kind, source_id }) =>
    createHash('sha256')
      .update(JSON.stringify([source, source_workspace, kind, source_id]))
      .digest('hex'),
  audit: ({ position }) => position,
}

/** What is written in the order of its numbers. */
function orderOf(kind: PortableKind, line: object): number {
  if (kind === 'message') return (line as Line<'message'>).id
  return kind === 'audit' ? (line as Line<'audit'>).position : 0
}

export function recordOf<K extends PortableKind>(kind: K, line: Line<K>): PortableRecordOf<K> {
  return { kind, key: String(KEYS[kind](line)), order: orderOf(kind, line), line }
}
