import { AUDIENCES, EVENTS } from './events/index.js'
import { JOBS } from './jobs.js'

const INTRODUCTION = `# Events and jobs

Printed from the contract by \`npm run print\`; change \`contract/src/events/\` and \`contract/src/jobs.ts\` instead.

An event is a row that commits with the change it tells of. The relay hands it to the readers in the order of positions
(webhooks, previews, drafts, notices); the live stream \`GET /live\` sends it to its audience. An event kind is declared
with \`event()\` and emitted with \`emit(tx, ctx, actor, messagePinned, { … })\`; readers narrow by \`type\`. In tests every
event is held against its schema, and every kind against its audience.

A job is work for later that commits with its reason. It is declared with \`job()\`, left with
\`enqueue(tx, ctx, remindJob, { … })\` and done by the handler of its kind; a kind without a handler does not compile. Jobs
may run twice.`

interface Fields {
  properties: object
  required?: readonly string[]
}

function fieldsOf({ properties, required = [] }: Fields): string {
  const marked = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`))
  return marked.map((name) => `\`${name}\``).join(', ') || '–'
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** docs/events.md: every kind of event and job, printed from the contract. */
export function eventsPage(): string {
  const audiences = Object.entries(AUDIENCES).map(([name, text]) => [`\`${name}\``, text])
  const events = EVENTS.map(({ type, audience, payload, summary }) => [
    `\`${type}\``,
    summary,
    `\`${audience}\``,
    fieldsOf(payload),
  ])
  const jobs = JOBS.map(({ kind, payload, summary }) => [`\`${kind}\``, summary, fieldsOf(payload)])
  const parts = [
    INTRODUCTION,
    '## Audiences',
    table(['Audience', 'Who hears it live'], audiences),
    '## Events',
    table(['Type', 'When', 'Audience', 'Payload'], events),
    '## Jobs',
    table(['Kind', 'What it does', 'Payload'], jobs),
  ]
  return `${parts.join('\n\n')}\n`
}
