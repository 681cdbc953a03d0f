import type { Archive } from '../archive/archive.js'
import { asObject, asText, filled, type JsonObject, readMember } from '../json.js'
import { paragraph, plain, plainText, type RichText } from '../text/rich-text.js'

/** What was added to messages of polls and lists, in its order, by message. */
export type Submessages = ReadonlyMap<string, readonly JsonObject[]>

export async function readSubmessages(archive: Archive): Promise<Submessages> {
  const found = new Map<string, JsonObject[]>()
  for await (const row of readMember(archive, 'realm.json', 'zerver_submessage')) {
    const message = asText(row.message)
    if (!message) continue
    const list = found.get(message)
    if (list) list.push(row)
    else found.set(message, [row])
  }
  return found
}

/** The content of a row is JSON inside text. */
function contentOf(row: JsonObject): JsonObject {
  try {
    return asObject(JSON.parse(asText(row.content) ?? '{}'))
  } catch {
    return {}
  }
}

/** A poll as text: its question, and how many chose each option; null where the message is none. */
export function readPoll(rows: readonly JsonObject[]): RichText | null {
  const [first, ...events] = rows.map((row) => ({ sender: asText(row.sender) ?? '', ...contentOf(row) }))
  const widget: JsonObject = first ?? {}
  if (widget.widget_type !== 'poll') return null
  const data = asObject(widget.extra_data)
  let question = filled(data.question) ?? 'Poll'
  const options = new Map<string, string>()
  for (const [index, option] of optionsOf(data).entries()) options.set(`canned,${index}`, option)
  const votes = new Map<string, Set<string>>()
  for (const event of events as (JsonObject & { sender: string })[]) {
    const key = asText(event.key) ?? ''
    if (event.type === 'question') question = filled(event.question) ?? question
    else if (event.type === 'new_option')
      options.set(`${event.sender},${event.idx}`, filled(event.option) ?? '')
    else if (event.type === 'vote') {
      const voters = votes.get(key) ?? new Set()
      if (Number(event.vote) === 1) voters.add(event.sender)
      else voters.delete(event.sender)
      votes.set(key, voters)
    }
  }
  const lines = [...options].map(([key, option]) => `- ${option}: ${votes.get(key)?.size ?? 0}`)
  return [...paragraph([{ type: 'bold', children: [plain(question)] }]), ...lines.flatMap(plainText)]
}

function optionsOf(data: JsonObject): string[] {
  return Array.isArray(data.options) ? data.options.flatMap((option) => filled(option) ?? []) : []
}
