export const MANIFEST = 'parley.json'
export const SUMS = 'sums.jsonl'
/** Of an entry that is one of several. */
export const LINES_AT_MOST = 100_000

/** Entries of lines, in the order in which they stand in the file, and the kind of line that each holds. */
export const ENTRIES = [
  { name: 'people.jsonl', kind: 'person' },
  { name: 'bots.jsonl', kind: 'bot' },
  { name: 'tags.jsonl', kind: 'tag' },
  { name: 'tag_members.jsonl', kind: 'tag_member' },
  { name: 'properties.jsonl', kind: 'property' },
  { name: 'property_values.jsonl', kind: 'property_value' },
  { name: 'files.jsonl', kind: 'file' },
  { name: 'chats.jsonl', kind: 'chat' },
  { name: 'members.jsonl', kind: 'chat_member' },
  { name: 'endpoints.jsonl', kind: 'endpoint' },
  { series: 'messages', kind: 'message' },
  { name: 'threads.jsonl', kind: 'thread' },
  { series: 'reactions', kind: 'reaction' },
  { name: 'pins.jsonl', kind: 'pin' },
  { name: 'reads.jsonl', kind: 'read' },
  { name: 'drafts.jsonl', kind: 'draft' },
  { name: 'tasks.jsonl', kind: 'task' },
  { name: 'settings.jsonl', kind: 'setting' },
  { name: 'import_keys.jsonl', kind: 'import_key' },
  { series: 'audit', kind: 'audit' },
] as const

export type LineKind = (typeof ENTRIES)[number]['kind']

const SERIES = /^([a-z]+)\/(\d{6})\.jsonl$/
const BYTES = /^files\/([\da-f]{2})\/([\da-f]{64})$/

export function seriesName(series: string, number: number): string {
  return `${series}/${String(number).padStart(6, '0')}.jsonl`
}

export function fileName(sha256: string): string {
  return `files/${sha256.slice(0, 2)}/${sha256}`
}

/** The hash that names an entry of bytes; undefined where the entry is no such one. */
export function hashOfName(name: string): string | undefined {
  const [, folder, hash] = BYTES.exec(name) ?? []
  return hash?.startsWith(folder ?? '-') ? hash : undefined
}

export function kindOfEntry(name: string): LineKind | undefined {
  const series = SERIES.exec(name)?.[1]
  return ENTRIES.find((entry) => ('name' in entry ? entry.name === name : entry.series === series))?.kind
}

/** Where an entry stands: entries follow each other in the order of these texts. Undefined where the name is unknown. */
export function placeOf(name: string): string | undefined {
  if (name === MANIFEST) return '00'
  if (name === SUMS) return '99'
  if (hashOfName(name)) return `98 ${name}`
  const kind = kindOfEntry(name)
  if (!kind) return undefined
  return `${ENTRIES.findIndex((entry) => entry.kind === kind) + 10} ${name}`
}
