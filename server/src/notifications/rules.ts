import { type Level, shouldNotify, shouldNotifyOfNotice } from '@parley/contract'
import type { FactRow } from './fact-queries.js'
import type { NoticePushRow } from './notice-push-queries.js'
import { USUAL } from './settings.js'

/** Whether a reader is told of a message, by the one rule that the client follows too. Mail minds no quiet hours. */
export function isTold(row: FactRow, now_ms: number, by: 'push' | 'mail' = 'push'): boolean {
  const { quiet_from: from, quiet_to: to } = row
  const hasQuietHours = by === 'push' && from !== null && to !== null
  return shouldNotify({
    now_ms,
    user_id: row.user_id,
    time_zone: row.time_zone,
    settings: {
      level: (row.level ?? USUAL.level) as Level,
      keywords: row.keywords ?? USUAL.keywords,
      quiet_hours: hasQuietHours ? { from, to } : null,
    },
    chat: {
      kind: row.kind,
      level: row.chat_level as Level | null,
      muted_until: row.muted_until?.toISOString() ?? null,
    },
    parent:
      row.parent_chat_id === null
        ? null
        : {
            level: row.parent_level as Level | null,
            muted_until: row.parent_muted_until?.toISOString() ?? null,
          },
    message: { user_id: row.author_id, content: row.content, mentioned: row.mentioned },
  })
}

/** Whether a person is called about a notice, by the rule of the client too. */
export function isNoticeTold(row: NoticePushRow, now_ms: number): boolean {
  const { quiet_from: from, quiet_to: to, muted_until } = row
  return shouldNotifyOfNotice({
    now_ms,
    time_zone: row.time_zone,
    settings: {
      level: (row.level ?? USUAL.level) as Level,
      quiet_hours: from !== null && to !== null ? { from, to } : null,
    },
    chat: { muted_until: muted_until?.toISOString() ?? null },
  })
}
