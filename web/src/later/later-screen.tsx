import type { Draft } from '@parley/contract'
import { useEffect, useState } from 'preact/hooks'
import { titleOf } from '../chats/entry.js'
import { useCard } from '../chats/use-card.js'
import { deleteDraft } from '../drafts/actions.js'
import { Page } from '../frame/page.js'
import { Reading, ReadingFailed } from '../frame/waiting.js'
import { plainText } from '../messages/text.js'
import { readPeopleOf } from '../people/actions.js'
import { personAt } from '../people/names.js'
import { formatDay, formatMoment, formatTime } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { refusalText } from '../platform/refusal.js'
import { state } from '../store.js'
import { ToolButton } from '../ui/button.js'
import { confirm } from '../ui/confirm.js'
import { Empty } from '../ui/empty.js'
import { Icon } from '../ui/icon.js'
import { toast } from '../ui/toast.js'
import { openPlace, readUnsent } from './actions.js'
import { EditPlanned } from './edit-planned.js'
import './later.css'

const failed = (error: unknown) => toast(refusalText(error), { look: 'bad' })

/** Everything that is written and not sent: drafts, and messages with a time. */
export function LaterScreen() {
  const [unsent, setUnsent] = useState<{ drafts: Draft[]; planned: Draft[] } | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [edited, setEdited] = useState<Draft | null>(null)
  const { later } = words()
  const changes = state.draftChanges.value

  async function read() {
    setError(null)
    try {
      const now = await readUnsent()
      setUnsent(now)
      const ids = [...now.drafts, ...now.planned].map((one) =>
        one.entity_type === 'user' ? one.entity_id : null,
      )
      await readPeopleOf(ids.filter((id) => id !== null))
    } catch (failure) {
      setError(refusalText(failure))
    }
  }
  useEffect(() => void read(), [changes])

  return (
    <Page title={later.title}>
      {error && !unsent && <ReadingFailed text={error} onRetry={() => void read()} />}
      {!unsent && !error && <Reading />}
      {unsent && unsent.drafts.length + unsent.planned.length === 0 && (
        <Empty icon="later" title={later.none} text={later.noneHint} />
      )}
      <Section title={later.plannedTitle} drafts={unsent?.planned ?? []} onEdit={setEdited} />
      <Section
        title={later.draftsTitle}
        drafts={unsent?.drafts ?? []}
        onEdit={(draft) => void openPlace(draft).catch(failed)}
      />
      {edited && <EditPlanned draft={edited} onClose={() => setEdited(null)} />}
    </Page>
  )
}

interface SectionProps {
  title: string
  drafts: readonly Draft[]
  onEdit(draft: Draft): void
}

function Section({ title, drafts, onEdit }: SectionProps) {
  if (drafts.length === 0) return null
  return (
    <section class="later-section">
      <h2>{title}</h2>
      <ul>
        {drafts.map((draft) => (
          <UnsentEntry key={draft.id} draft={draft} onEdit={() => onEdit(draft)} />
        ))}
      </ul>
    </section>
  )
}

function usePlaceOf({ entity_type, entity_id }: Draft): string {
  const card = useCard(entity_type === 'discussion' ? entity_id : null)
  if (entity_type === 'thread') return words().threads.thread
  if (entity_type === 'user') return personAt(entity_id ?? 0).name
  return card ? titleOf(card) : '…'
}

function UnsentEntry({ draft, onEdit }: { draft: Draft; onEdit(): void }) {
  const { later, messages, common } = words()
  const place = usePlaceOf(draft)
  async function remove() {
    const question = {
      title: later.deleteTitle,
      text: later.deleteText,
      action: common.delete,
      cancel: common.cancel,
    }
    if (await confirm({ ...question, danger: true })) await deleteDraft(draft.id).catch(failed)
  }
  return (
    <li class="later-entry">
      <button type="button" class="later-open" onClick={onEdit}>
        <span class="later-head">
          <b>{place}</b>
          <When draft={draft} />
        </span>
        <span class="later-text">{plainText(draft.content) || messages.files(draft.files.length)}</span>
      </button>
      <ToolButton icon="edit" label={later.edit(place)} onClick={onEdit} />
      <ToolButton icon="trash" label={later.delete(place)} onClick={() => void remove()} />
    </li>
  )
}

function When({ draft: { schedule, next_send_at, updated_at } }: { draft: Draft }) {
  const { later } = words()
  if (!schedule || !next_send_at) return <time dateTime={updated_at}>{formatMoment(updated_at)}</time>
  const { interval } = schedule.repetition
  return (
    <span class="later-when">
      <Icon name={interval === 'once' ? 'clock' : 'retry'} size="sm" />
      <time dateTime={next_send_at}>
        {formatDay(next_send_at)}, {formatTime(next_send_at)}
      </time>
      {interval !== 'once' && <span>· {later.intervals[interval]}</span>}
    </span>
  )
}
