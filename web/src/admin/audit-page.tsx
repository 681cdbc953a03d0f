import type { AuditEvent } from '@parley/contract'
import { useState } from 'preact/hooks'
import { attempt } from '../frame/attempt.js'
import { readPeopleOf } from '../people/actions.js'
import { personAt } from '../people/names.js'
import { call } from '../platform/api.js'
import { dayOf, formatMoment } from '../platform/format.js'
import { locale } from '../platform/i18n.js'
import { nextOf } from '../platform/pages.js'
import { usePages } from '../platform/use-pages.js'
import { state } from '../store.js'
import { Button } from '../ui/button.js'
import { SelectField, TextField } from '../ui/field.js'
import { adminWords } from '../words/admin.js'
import { auditWords } from '../words/audit.js'
import { IntegrityCheck } from './audit-integrity.js'
import { csvFile, saveFile, writeCsv } from './csv.js'
import { ListView } from './list-view.js'

interface Filters {
  event_key: AuditEvent['event_key'] | ''
  actor_id: string
  from: string
  to: string
}

async function readEvents(filters: Filters, cursor: string | null, signal?: AbortSignal) {
  const { event_key, actor_id, from, to } = filters
  const query = {
    limit: 50,
    ...(event_key ? { event_key } : {}),
    ...(actor_id ? { actor_id } : {}),
    ...(from ? { start_time: new Date(`${from}T00:00`).toISOString() } : {}),
    ...(to ? { end_time: new Date(`${to}T23:59:59.999`).toISOString() } : {}),
    ...(cursor ? { cursor } : {}),
  }
  const { data, meta } = await call('listAuditEvents', { query, ...(signal ? { signal } : {}) })
  const named = data.flatMap(({ actor_id, entity_type, entity_id }) =>
    entity_type === 'User' ? [Number(actor_id), Number(entity_id)] : [Number(actor_id)],
  )
  await readPeopleOf(named.filter((id) => id > 0))
  return { items: data, next: nextOf(meta) }
}

const whoOf = ({ actor_id }: AuditEvent) =>
  Number(actor_id) > 0 ? personAt(Number(actor_id)).name : actor_id

/** At most this many rows go into one file; a shorter period holds the rest. */
const ROWS_AT_MOST = 10_000
const HEAD = [
  'created_at',
  'event_key',
  'actor_id',
  'actor',
  'entity_type',
  'entity_id',
  'ip_address',
  'details',
]

async function downloadAll(filters: Filters) {
  const rows: AuditEvent[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof readEvents>> = await readEvents(filters, cursor)
    rows.push(...page.items)
    cursor = page.next
  } while (cursor && rows.length < ROWS_AT_MOST)
  const lines = rows.map((one) => {
    const { created_at, event_key, actor_id, entity_type, entity_id, ip_address, details } = one
    return [created_at, event_key, actor_id, whoOf(one), entity_type, entity_id, ip_address ?? '', details]
  })
  saveFile(`audit-${dayOf(new Date())}.csv`, csvFile(writeCsv(HEAD, lines)))
}

/** What happened in the workspace, newest first. */
export function AuditPage() {
  const admin = adminWords()
  const [filters, setFilters] = useState<Filters>({ event_key: '', actor_id: '', from: '', to: '' })
  const set = (change: Partial<Filters>) => setFilters({ ...filters, ...change })
  const read = (_: string, cursor: string | null, signal: AbortSignal) => readEvents(filters, cursor, signal)
  const pages = usePages('', read, ({ id }) => id, [filters])
  return (
    <>
      <FilterBar filters={filters} onChange={set} />
      <IntegrityCheck />
      <ListView
        caption={admin.pages.audit}
        pages={pages}
        keyOf={({ id }) => id}
        empty={admin.noEvents}
        columns={[
          {
            title: admin.when,
            draw: ({ created_at }) => <span class="admin-line">{formatMoment(created_at)}</span>,
          },
          { title: admin.event, draw: (event) => <Kind {...event} /> },
          {
            title: admin.who,
            draw: (event) => (
              <button type="button" class="byline-name" onClick={() => set({ actor_id: event.actor_id })}>
                {whoOf(event)}
              </button>
            ),
          },
          { title: admin.about, draw: aboutOf },
          { title: admin.address, draw: ({ ip_address }) => ip_address ?? '' },
          {
            title: admin.details,
            draw: ({ details }) => {
              const text = detailsOf(details)
              return text && <span class="admin-code">{text}</span>
            },
          },
        ]}
      />
    </>
  )
}

interface FilterBarProps {
  filters: Filters
  onChange(change: Partial<Filters>): void
}

/** Which events are shown, and saved to a file. */
function FilterBar({ filters, onChange }: FilterBarProps) {
  const admin = adminWords()
  const [busy, setBusy] = useState(false)
  async function download() {
    setBusy(true)
    await attempt(() => downloadAll(filters))
    setBusy(false)
  }
  return (
    <div class="admin-tools">
      <SelectField
        label={admin.event}
        value={filters.event_key}
        options={[{ value: '', label: admin.anyEvent }, ...eventKinds()]}
        onChoose={(key) => onChange({ event_key: key as Filters['event_key'] })}
      />
      <TextField label={admin.from} type="date" value={filters.from} onText={(from) => onChange({ from })} />
      <TextField label={admin.to} type="date" value={filters.to} onText={(to) => onChange({ to })} />
      <Button icon="save" busy={busy} onClick={() => void download()}>
        {admin.downloadCsv}
      </Button>
      {filters.actor_id && (
        <Button icon="close" onClick={() => onChange({ actor_id: '' })}>
          {personAt(Number(filters.actor_id)).name}
        </Button>
      )}
    </div>
  )
}

function eventKinds() {
  const kinds = Object.entries(auditWords().events).map(([value, label]) => ({ value, label }))
  return kinds.sort((one, other) => one.label.localeCompare(other.label, locale()))
}

/** The key stands below the words: the API and exports of the log know the event by it. */
function Kind({ event_key }: AuditEvent) {
  const events: Record<string, string> = auditWords().events
  return (
    <div>
      {events[event_key]}
      <div class="admin-code quiet">{event_key}</div>
    </div>
  )
}

/** People by their names; the API and exports of the log know everything else by its number alone. */
function aboutOf({ entity_type, entity_id }: AuditEvent): string {
  const number = `${nameOf(entity_type)} ${entity_id}`
  const card = entity_type === 'User' ? state.people.value.get(Number(entity_id)) : undefined
  return card?.name ? `${card.name} (${entity_id})` : number
}

function nameOf(entity_type: string): string {
  const entities: Record<string, string> = auditWords().entities
  return entities[entity_type] ?? entity_type
}

function detailsOf(details: Record<string, unknown>): string {
  return Object.entries(details)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}
