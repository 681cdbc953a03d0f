import {
  type BotEventName,
  extractLinks,
  type MembersEventPayload,
  type MessageEventPayload,
  type ReactionEventPayload,
} from '@parley/contract'
import { entityIdFor } from '../messages/events.js'
import type { RelayedEvent } from '../platform/events/relay.js'
import { wholeSeconds } from '../platform/time.js'

/** Something that bots may want to hear of, in the words of the contract. */
export interface BotEvent {
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
  /** Links of a message; a bot receives those on its domains. */
  links?: string[]
  /** The body reads the same to every bot. */
  forAll?: boolean
  /** The body for one bot, without the stamp of sending. */
  payload: (bot: { id: number; links?: object[] }) => object
}

/** The place and the payload of an event that is translated. */
interface Placed<Payload> {
  position: number
  payload: Payload
}

const seconds = (time: string) => wholeSeconds(new Date(time))

function messageEvent(
  { payload: message, position }: Placed<MessageEventPayload>,
  word: 'new' | 'update' | 'delete',
  appUrl: string,
): BotEvent {
  const content = word === 'delete' ? '' : message.content
  return {
    event_type: `message_${word}`,
    position,
    chat_id: message.chat_id,
    root_chat_id: message.root_chat_id,
    user_id: message.user_id,
    ...(word === 'delete' ? {} : { message_id: message.message_id }),
    content,
    forAll: !message.personal,
    payload: ({ id }) => ({
      type: 'message',
      event: word,
      id: message.message_id,
      entity_type: message.entity_type,
      entity_id: entityIdFor(message, id),
      content,
      user_id: message.user_id,
      created_at: message.created_at,
      changed_at: message.changed_at,
      url: `${appUrl}/chats/${message.chat_id}?message=${message.message_id}`,
      chat_id: message.chat_id,
      parent_message_id: message.parent_message_id,
      thread: message.thread,
    }),
  }
}

export function linkEvents({ payload: message, position }: Placed<MessageEventPayload>): BotEvent[] {
  const links = extractLinks(message.content)
  if (links.length === 0) return []
  return [
    {
      event_type: 'message_link_shared',
      position,
      chat_id: message.chat_id,
      root_chat_id: message.root_chat_id,
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
        thread: message.thread,
        created_at: message.created_at,
      }),
    },
  ]
}

function reactionEvent(
  { payload, position }: Placed<ReactionEventPayload>,
  word: 'new' | 'delete',
): BotEvent {
  const { chat_id } = payload
  return {
    event_type: `reaction_${word}`,
    position,
    chat_id,
    root_chat_id: payload.root_chat_id,
    user_id: payload.user_id,
    payload: () => ({
      type: 'reaction',
      event: word,
      chat_id,
      message_id: payload.message_id,
      code: payload.code,
      name: payload.name,
      emoji: payload.code,
      user_id: payload.user_id,
      created_at: payload.created_at,
    }),
  }
}

function memberEvent({ payload, position }: Placed<MembersEventPayload>, word: 'add' | 'remove'): BotEvent {
  const { chat_id, user_ids } = payload
  return {
    event_type: `chat_member_${word}`,
    position,
    chat_id,
    root_chat_id: payload.root_chat_id,
    user_id: null,
    payload: () => ({
      type: 'chat_member',
      event: word,
      chat_id,
      thread_id: payload.thread_id,
      user_ids,
      created_at: seconds(payload.created_at),
    }),
  }
}

function companyMemberEvent(
  { payload, position }: Placed<{ user_ids: number[]; created_at: string }>,
  word: 'invite' | 'confirm' | 'update' | 'suspend' | 'activate' | 'delete',
): BotEvent {
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
export function toBotEvents(event: RelayedEvent, appUrl: string): BotEvent[] {
  switch (event.type) {
    case 'message.created':
      return [messageEvent(event, 'new', appUrl), ...linkEvents(event)]
    case 'message.updated':
      return [messageEvent(event, 'update', appUrl)]
    case 'message.deleted':
      return [messageEvent(event, 'delete', appUrl)]
    case 'reaction.created':
      return [reactionEvent(event, 'new')]
    case 'reaction.deleted':
      return [reactionEvent(event, 'delete')]
    case 'chat_members.added':
      return [memberEvent(event, 'add')]
    case 'chat_members.removed':
      return [memberEvent(event, 'remove')]
    case 'company_members.invited':
      return [companyMemberEvent(event, 'invite')]
    case 'company_members.confirmed':
      return [companyMemberEvent(event, 'confirm')]
    case 'company_members.updated':
      return [companyMemberEvent(event, 'update')]
    case 'company_members.suspended':
      return [companyMemberEvent(event, 'suspend')]
    case 'company_members.activated':
      return [companyMemberEvent(event, 'activate')]
    case 'company_members.deleted':
      return [companyMemberEvent(event, 'delete')]
    default:
      return []
  }
}
