import { type Actor, isAdmin } from '../platform/actor.js'
import { ALLOW, refuse, type Verdict } from '../platform/problem.js'

/** What rules need to know of a bot and of the caller. */
export interface BotAccess {
  creator_id: number | null
  can_edit: string[]
  /** The workspace's word on who may have integrations. */
  integrations: string
  /** The caller owns or administers a conversation or channel that the bot is in. */
  owns_chat: boolean
  /** The person who created it was deleted. */
  orphaned: boolean
}

/** `full` for the owner of the bot, `settings` for chat owners, `none` for everybody else. */
export type Access = 'full' | 'settings' | 'none'

/**
 * Where integrations are for admins alone, nobody else has any access, not even to a bot of their own. A bot whose creator
 * was deleted is the admins'.
 */
export function accessOf(actor: Actor, bot: BotAccess): Access {
  const admin = isAdmin(actor)
  if (bot.integrations === 'admins' && !admin) return 'none'
  if (bot.creator_id === actor.user_id) return 'full'
  if (admin && (bot.orphaned || bot.can_edit.includes('admin'))) return 'full'
  return bot.can_edit.includes('chat_owners') && bot.owns_chat ? 'settings' : 'none'
}

const ADMINS_ONLY = refuse('bot.create')
const NO_EDITOR = refuse('bot.edit', { bot_access: 'none' })
const LINKS = refuse('bot.links')

export function mayCreateBot(actor: Actor, integrations: string): Verdict {
  return integrations === 'admins' && !isAdmin(actor) ? ADMINS_ONLY : ALLOW
}

export function mayEdit(access: Access): Verdict {
  return access === 'none' ? NO_EDITOR : ALLOW
}

/** Tokens, secrets, sign-in, and deleting the bot. */
export function mayManage(access: Access): Verdict {
  return access === 'full' ? ALLOW : refuse('bot.manage', { bot_access: access })
}

/** What belongs to the owner of a bot and not to owners of its chats. */
const OWNERS_FIELDS = new Set(['name', 'nickname', 'scopes', 'can_edit', 'oauth_client', 'promo'])
/** What only an admin of the workspace changes on a bot that hears of links in every chat. */
const LINK_FIELDS = new Set(['unfurl_domains', 'outgoing_url', 'events_history_enabled'])

export interface BotChange {
  fields: readonly string[]
  /** The bot hears of links, before or after. */
  hears_links: boolean
  starts_hearing_links: boolean
}

export function mayChange(actor: Actor, access: Access, change: BotChange): Verdict {
  if (access === 'none') return NO_EDITOR
  const owners = change.fields.filter((field) => OWNERS_FIELDS.has(field))
  if (access === 'settings' && owners.length > 0)
    return {
      ...refuse('bot.change.owners_field', { bot_access: access, fields: owners }),
      reason: `owners of chats do not change ${owners.join(', ')}`,
    }
  return mayChangeLinks(actor, change)
}

/** A bot that hears of links sees into every chat, so it is for admins to turn that on and to aim it. */
export function mayChangeLinks(actor: Actor, change: BotChange): Verdict {
  if (isAdmin(actor)) return ALLOW
  const aimed = change.fields.some((field) => LINK_FIELDS.has(field))
  if (change.starts_hearing_links || change.fields.includes('unfurl_domains')) return LINKS
  return change.hears_links && aimed ? LINKS : ALLOW
}
