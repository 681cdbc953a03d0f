import type { Draft, DraftEntityType, DraftSchedule, ScheduleInterval } from '@parley/contract'
import type { Attached } from '../files/present.js'
import { formatOffset } from '../platform/time.js'
import type { DraftRow } from './queries.js'
import { takesNthDay } from './recurrence.js'

const NO_FILES: Attached = { files: [], voice_content: null }

/** Days are shown for weekly schedules alone, the nth day for month-based ones alone. */
function presentSchedule(row: DraftRow): DraftSchedule | null {
  if (row.interval === null || row.start_date === null) return null
  const interval = row.interval as ScheduleInterval
  return {
    start_date: row.start_date.toISOString(),
    end_date: row.end_date?.toISOString() ?? null,
    utc_offset: formatOffset(row.utc_offset),
    time_zone: row.time_zone,
    repetition: {
      interval,
      ...(interval === 'weekly' ? { days: row.days ?? [] } : {}),
      ...(takesNthDay(interval) ? { nth_day: row.nth_day } : {}),
    },
  }
}

/** Where the draft will go, as its author sees it. */
export function entityOf(row: DraftRow): { entity_type: DraftEntityType; entity_id: number } {
  if (row.to_user_id !== null) return { entity_type: 'user', entity_id: row.to_user_id }
  if (row.thread_id !== null) return { entity_type: 'thread', entity_id: row.thread_id }
  return { entity_type: 'discussion', entity_id: row.chat_id as number }
}

/** The chat the draft goes to; null while the personal chat is not open. */
export function chatOf(row: DraftRow): number | null {
  return row.chat_id ?? row.personal_chat_id
}

export function presentDraft(row: DraftRow, attached: Attached = NO_FILES): Draft {
  return {
    id: row.id,
    ...entityOf(row),
    chat_id: chatOf(row),
    content: row.content,
    parent_message_id: row.parent_message_id,
    ...attached,
    schedule: presentSchedule(row),
    next_send_at: row.next_send_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
