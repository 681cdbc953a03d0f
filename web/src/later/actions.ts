import type { Draft, DraftCreateRequest, DraftScheduleInput } from '@parley/contract'
import { draftAt, replaceDraft } from '../drafts/actions.js'
import type { Written } from '../drafts/device.js'
import type { Place } from '../drafts/state.js'
import { typedSince } from '../drafts/typed-since.js'
import { ApiFailure, call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { navigate } from '../platform/navigate.js'
import { joinPages, nextOf } from '../platform/pages.js'
import { refusalText } from '../platform/refusal.js'
import { toast } from '../ui/toast.js'

/** Why a schedule is refused. */
export function scheduleFault(error: unknown): string {
  const { faults } = words().later
  if (!(error instanceof ApiFailure)) return refusalText(error)
  return faults[error.code as keyof typeof faults] ?? refusalText(error)
}

type Planned = Pick<DraftCreateRequest['draft'], 'content' | 'files' | 'parent_message_id'>

/**
 * Schedules what was written; of the plain draft of the place stays what was typed since. `onPlanned` shows that, in the same
 * step in which the draft changes.
 */
export async function planMessage(
  place: Place,
  message: Planned,
  written: Written,
  schedule: DraftScheduleInput,
  onPlanned: (rest: Written) => void,
) {
  const { data } = await call('createDraft', { body: { draft: { ...place, ...message, schedule } } })
  const rest = typedSince(written, draftAt(place))
  onPlanned(rest)
  await replaceDraft(place, rest)
  const { later } = words()
  toast(later.planned(formatMoment(data.next_send_at ?? data.created_at)), {
    action: { label: later.show, run: () => navigate('/later') },
  })
}

async function readDrafts(cursor: string | null): Promise<Draft[]> {
  const query = { type: 'all', limit: 50, ...(cursor === null ? {} : { cursor }) } as const
  const { data, meta } = await call('listDrafts', { query })
  const next = nextOf(meta)
  return next === null ? data : joinPages(data, await readDrafts(next), ({ id }) => id)
}

/** Everything that is unsent: plain drafts and scheduled messages. */
export async function readUnsent(): Promise<{ drafts: Draft[]; planned: Draft[] }> {
  const data = await readDrafts(null)
  const at = ({ next_send_at }: Draft) => next_send_at ?? ''
  return {
    drafts: data.filter(({ schedule }) => schedule === null),
    planned: data.filter(({ schedule }) => schedule !== null).sort((a, b) => (at(a) < at(b) ? -1 : 1)),
  }
}

/** Goes to where the draft will be sent. */
export async function openPlace({ entity_type, entity_id, chat_id }: Draft) {
  if (entity_type === 'thread' && entity_id !== null) {
    const { data } = await call('getThread', { params: { id: entity_id } })
    navigate(`/chats/${data.message_chat_id ?? data.chat_id}?thread=${entity_id}`)
  } else navigate(chat_id === null ? `/people/${entity_id}` : `/chats/${chat_id}`)
}
