import type { ChatCard, PersonCard, TimelineMessage } from '@parley/contract'
import type { LiveFrame, TimelinePage } from '../platform/changes.js'

/** A time on one day, by seconds. */
export function at(second: number): string {
  return new Date(Date.UTC(2030, 0, 31) + second * 1000).toISOString()
}

export function message(id: number, more: Partial<TimelineMessage> = {}): TimelineMessage {
  const created_at = more.created_at ?? at(id)
  return {
    id,
    entity_type: 'discussion',
    entity_id: 1,
    chat_id: 1,
    root_chat_id: 1,
    content: `message ${id}`,
    user_id: 2,
    created_at,
    url: `/chats/1?message=${id}`,
    files: [],
    voice_content: null,
    buttons: null,
    thread: null,
    forwarding: null,
    parent_message_id: null,
    changed_at: created_at,
    deleted_at: null,
    system: false,
    reactions: [],
    link_previews: [],
    pinned: false,
    mentioned: false,
    quoted: null,
    system_event: null,
    edited: false,
    ...more,
  }
}

export function card(id: number, more: Partial<ChatCard> = {}): ChatCard {
  return {
    id,
    kind: 'conversation',
    name: `Chat ${id}`,
    public: false,
    archived: false,
    owner_id: 1,
    description: null,
    personal_user_id: null,
    my_role: 'member',
    may: ['write'],
    members_count: 3,
    group_tag_ids: [],
    last_message_at: at(0),
    last_message_id: null,
    last_message: null,
    read_message_id: 0,
    unread_count: 0,
    mention_count: 0,
    meet_room_url: '',
    ...more,
  }
}

export function person(id: number, name: string, more: Partial<PersonCard> = {}): PersonCard {
  const [first_name = name, last_name = null] = name.split(' ')
  return {
    id,
    name,
    first_name,
    last_name,
    nickname: name.toLowerCase().replaceAll(' ', '.'),
    image_url: null,
    bot: false,
    suspended: false,
    deleted: false,
    role: 'user',
    title: null,
    status: null,
    time_zone: null,
    ...more,
  }
}

export function frame(type: string, payload: LiveFrame['payload'], more: Partial<LiveFrame> = {}): LiveFrame {
  return { type, chat_id: 1, actor_id: 2, created_at: at(0), payload, ...more }
}

export function page(data: TimelineMessage[], has_older = false, has_newer = false): TimelinePage {
  return { data, people: [], meta: { has_older, has_newer, anchor_id: null } }
}
