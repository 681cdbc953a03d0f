import type { View } from '@parley/contract'
import type { ViewRow } from './queries.js'
import { viewExpiry } from './rules.js'

/** A form as the person in front of it sees it: what the bot keeps with it is not for them. */
export function presentView({ id, bot_id, chat_id, form, opened_at }: ViewRow): View {
  return {
    id,
    bot_id,
    chat_id,
    ...form,
    opened_at: opened_at.toISOString(),
    expires_at: viewExpiry(opened_at).toISOString(),
  }
}
