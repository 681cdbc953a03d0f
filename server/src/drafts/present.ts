import type { Draft, DraftSchedule, ScheduleInterval } from '@parley/contract'
import type { Attached } from '../files/present.js'
import { entityOf } from '../messages/target.js'
import type { DraftRow } from './queries.js'
import { takesNthDay } from './recurrence.js'

const NO_FILES: Attached = { files: [], voice_content: null }

/** Days are told of weekly schedules alone, the nth day of month-based ones alone. */
function presentSchedule(row: DraftRow): DraftSchedule | null {
  if (row.interval === null || row.start_date === null) return null
  const interval = row.interval as ScheduleInterval
  return {
    start_date: row.start_date.toISOString(),
    end_date: row.end_date?.toISOString() ?? null,
    repetition: {
      interval,
      ...(interval === 'weekly' ? { days: row.days ?? [] } : {}),
      ...(takesNthDay(interval) ? { nth_day: row.nth_day } : {}),
    },
  }
}

/** Where the draft will go, as its author sees it. */
export function placeOf(row: DraftRow) {
  const { chat_id: id, chat_kind: kind, personal_key, thread_id } = row
  return entityOf({ id, kind, personal_key, thread_id }, row.user_id)
}

export function presentDraft(row: DraftRow, attached: Attached = NO_FILES): Draft {
  return {
    id: row.id,
    ...placeOf(row),
    chat_id: row.chat_id,
    content: row.content,
    parent_message_id: row.parent_message_id,
    ...attached,
    schedule: presentSchedule(row),
    next_send_at: row.next_send_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
