import type { Archive } from '../archive/archive.js'
import { asIds, asObject, asObjects, asText, filled, type JsonObject, readMember } from '../json.js'
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

type Event = JsonObject & { sender: string }

/** A poll or a list of tasks as text; null where the message is neither. */
export function readWidget(rows: readonly JsonObject[]): RichText | null {
  const [first, ...events] = rows.map(
    (row): Event => ({ sender: asText(row.sender) ?? '', ...contentOf(row) }),
  )
  const data = asObject(first?.extra_data)
  if (first?.widget_type === 'poll') return readPoll(data, events)
  return first?.widget_type === 'todo' ? readTasks(data, events) : null
}

function shown(title: string, lines: readonly string[]): RichText {
  return [...paragraph([{ type: 'bold', children: [plain(title)] }]), ...lines.flatMap(plainText)]
}

/** Its question, and how many chose each option. */
function readPoll(data: JsonObject, events: readonly Event[]): RichText {
  let question = filled(data.question) ?? 'Poll'
  const options = new Map<string, string>()
  for (const [index, option] of asIds(data.options).entries()) options.set(`canned,${index}`, option)
  const votes = new Map<string, Set<string>>()
  for (const event of events) {
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
  return shown(
    question,
    [...options].map(([key, option]) => `- ${option}: ${votes.get(key)?.size ?? 0}`),
  )
}

/** Its title, and each task with a mark where it is done. Tasks are known by a number and whoever added them. */
function readTasks(data: JsonObject, events: readonly Event[]): RichText {
  let title = filled(data.task_list_title) ?? 'Task list'
  const tasks = new Map<string, { text: string; done: boolean }>()
  const add = (key: string, { task, desc }: JsonObject) =>
    tasks.set(key, {
      text: [filled(task), filled(desc)].flatMap((text) => text ?? []).join(': '),
      done: false,
    })
  for (const [index, task] of asObjects(data.tasks).entries()) add(`${index},canned`, task)
  for (const event of events) {
    const struck = tasks.get(asText(event.key) ?? '')
    if (event.type === 'new_task_list_title') title = filled(event.title) ?? title
    else if (event.type === 'new_task') add(`${event.key},${event.sender}`, event)
    else if (event.type === 'strike' && struck) struck.done = !struck.done
  }
  return shown(
    title,
    [...tasks.values()].map(({ text, done }) => `- [${done ? 'x' : ' '}] ${text}`),
  )
}
