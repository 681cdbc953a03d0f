import { type BotEventName, extractLinks } from '@parley/contract'
import type { RelayedEvent } from '../platform/events/relay.js'
import { wholeSeconds } from '../platform/time.js'

/** Something that bots may want to hear of, in the words of the contract. */
export interface Tidings {
  event_type: BotEventName
  position: number
  /** 0 where it belongs to no chat: every bot of the workspace may hear of it. */
  chat_id: number
  root_chat_id: number
  /** Who did it. */
  user_id: number | null
  /** The message whose text or links the body holds. */
  message_id?: number
  /** Text of a message that is new or changed. */
  content?: string
  /** Members that were added or removed. */
  user_ids?: number[]
  /** Links of a message; those on a bot's domains are told to it. */
  links?: string[]
  /** The body reads the same to every bot. */
  forAll?: boolean
  /** The body for one bot, without the stamp of sending. */
  payload: (bot: { id: number; links?: object[] }) => object
}

interface MessagePayload {
  message_id: number
  chat_id: number
  root_chat_id: number
  entity_type: string
  entity_id: number
  content: string
  user_id: number
  created_at: string
  changed_at: string | null
  parent_message_id: number | null
  thread: { message_id: number | null; message_chat_id: number | null } | null
  personal: boolean
}

const MESSAGE_EVENTS: Record<string, 'new' | 'update' | 'delete'> = {
  'message.created': 'new',
  'message.updated': 'update',
  'message.deleted': 'delete',
}
const REACTION_EVENTS: Record<string, 'new' | 'delete'> = {
  'reaction.created': 'new',
  'reaction.deleted': 'delete',
}
const MEMBER_EVENTS: Record<string, 'add' | 'remove'> = {
  'chat_members.added': 'add',
  'chat_members.removed': 'remove',
}
const COMPANY_EVENTS = {
  'company_members.invited': 'invite',
  'company_members.confirmed': 'confirm',
  'company_members.updated': 'update',
  'company_members.suspended': 'suspend',
  'company_members.activated': 'activate',
  'company_members.deleted': 'delete',
} as const
type CompanyEvent = keyof typeof COMPANY_EVENTS

const iso = (time: unknown) => new Date(time as string).toISOString()
const seconds = (time: unknown) => wholeSeconds(new Date(time as string))

/** In a personal chat each side sees the other: of a message to the bot, whoever wrote it. */
function entityFor(message: MessagePayload, botId: number) {
  if (!message.personal) return { entity_type: message.entity_type, entity_id: message.entity_id }
  const entity_id = message.user_id === botId ? message.entity_id : message.user_id
  return { entity_type: 'user', entity_id }
}

function messageTidings(event: RelayedEvent, word: 'new' | 'update' | 'delete', appUrl: string): Tidings {
  const message = event.payload as unknown as MessagePayload
  const content = word === 'delete' ? '' : message.content
  return {
    event_type: `message_${word}`,
    position: event.position,
    chat_id: message.chat_id,
    root_chat_id: message.root_chat_id ?? message.chat_id,
    user_id: message.user_id,
    ...(word === 'delete' ? {} : { message_id: message.message_id }),
    content,
    forAll: !message.personal,
    payload: ({ id }) => ({
      type: 'message',
      event: word,
      id: message.message_id,
      ...entityFor(message, id),
      content,
      user_id: message.user_id,
      created_at: iso(message.created_at),
      changed_at: iso(message.changed_at ?? message.created_at),
      url: `${appUrl}/chats/${message.chat_id}?message=${message.message_id}`,
      chat_id: message.chat_id,
      parent_message_id: message.parent_message_id ?? null,
      thread: message.thread ?? null,
    }),
  }
}

function linkTidings(event: RelayedEvent): Tidings[] {
  const message = event.payload as unknown as MessagePayload
  const links = extractLinks(message.content)
  if (links.length === 0) return []
  return [
    {
      event_type: 'message_link_shared',
      position: event.position,
      chat_id: message.chat_id,
      root_chat_id: message.root_chat_id ?? message.chat_id,
      user_id: message.user_id,
      message_id: message.message_id,
      links,
      payload: ({ links: watched = [] }) => ({
        type: 'message',
        event: 'link_shared',
        chat_id: message.chat_id,
        message_id: message.message_id,
        // No author can hide the preview of one link; a message that asks for none says nothing of bots.
        links: watched.map((link) => ({ ...link, skip: false })),
        user_id: message.user_id,
        entity_type: message.entity_type,
        entity_id: message.personal ? null : message.entity_id,
        thread: message.thread ?? null,
        created_at: iso(message.created_at),
      }),
    },
  ]
}

function reactionTidings({ payload, position }: RelayedEvent, word: 'new' | 'delete'): Tidings {
  const chat_id = payload.chat_id as number
  return {
    event_type: `reaction_${word}`,
    position,
    chat_id,
    root_chat_id: (payload.root_chat_id as number) ?? chat_id,
    user_id: payload.user_id as number,
    payload: () => ({
      type: 'reaction',
      event: word,
      chat_id,
      message_id: payload.message_id,
      code: payload.code,
      name: payload.name,
      emoji: payload.code,
      user_id: payload.user_id,
      created_at: iso(payload.created_at),
    }),
  }
}

function memberTidings({ payload, position }: RelayedEvent, word: 'add' | 'remove'): Tidings {
  const chat_id = payload.chat_id as number
  const user_ids = payload.user_ids as number[]
  return {
    event_type: `chat_member_${word}`,
    position,
    chat_id,
    root_chat_id: (payload.root_chat_id as number) ?? chat_id,
    user_id: null,
    user_ids,
    payload: () => ({
      type: 'chat_member',
      event: word,
      chat_id,
      thread_id: payload.thread_id ?? null,
      user_ids,
      created_at: seconds(payload.created_at),
    }),
  }
}

function companyTidings({ payload, position }: RelayedEvent, type: CompanyEvent): Tidings {
  const word = COMPANY_EVENTS[type]
  return {
    event_type: `company_member_${word}`,
    position,
    chat_id: 0,
    root_chat_id: 0,
    user_id: null,
    payload: () => ({
      type: 'company_member',
      event: word,
      user_ids: payload.user_ids,
      created_at: seconds(payload.created_at),
    }),
  }
}

/** What one event of ours means to bots: nothing, one thing, or two where a message also shares links. */
export function translate(event: RelayedEvent, appUrl: string): Tidings[] {
  const { type } = event
  const message = MESSAGE_EVENTS[type]
  if (message) {
    const links = message === 'new' ? linkTidings(event) : []
    return [messageTidings(event, message, appUrl), ...links]
  }
  const reaction = REACTION_EVENTS[type]
  if (reaction) return [reactionTidings(event, reaction)]
  const member = MEMBER_EVENTS[type]
  if (member) return [memberTidings(event, member)]
  return type in COMPANY_EVENTS ? [companyTidings(event, type as CompanyEvent)] : []
}
