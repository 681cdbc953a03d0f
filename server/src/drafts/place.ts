import type { DraftEntityType } from '@parley/contract'
import { otherSide } from '../chats/personal.js'
import { type ChatFor, findChatFor } from '../chats/queries.js'
import { mayRead } from '../chats/rules.js'
import { findTarget } from '../messages/target.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Db } from '../platform/db/index.js'
import { found } from '../platform/problem.js'
import { findThread } from '../threads/queries.js'

/** Where a draft belongs: in a chat, or with a person, whether or not their personal chat is open yet. */
export type Place = { chat_id: number; to_user_id: null } | { chat_id: null; to_user_id: number }

interface Named {
  entity_type: DraftEntityType
  entity_id: number
}

const withPerson = (to_user_id: number): Place => ({ chat_id: null, to_user_id })

function placeIn(chat: ChatFor, actor: Actor): Place {
  if (chat.kind === 'personal') return withPerson(otherSide(chat, actor.user_id))
  return { chat_id: chat.id, to_user_id: null }
}

/** The place of a draft to write, and its chat where there is one: 404 and 403 as for a message. */
export async function findWritablePlace(
  db: Db,
  { confined }: Pick<Context, 'confined'>,
  actor: Actor,
  named: Named,
) {
  const chat = await findTarget(db, actor, named)
  // A token with limits on chats does not see whether there is one, and keeps nothing where it would not see it.
  if (confined) found(chat, { key: 'entity_id', value: named.entity_id })
  return { chat, place: chat ? placeIn(chat, actor) : withPerson(named.entity_id) }
}

async function findChatId(db: Db, { entity_type, entity_id }: Named) {
  if (entity_type === 'discussion') return entity_id
  return (await findThread(db, entity_id))?.chat_id
}

/** The place of drafts that are there, also where nothing may be written any more; undefined for an unknown chat. */
export async function findPlace(db: Db, actor: Actor, named: Named): Promise<Place | undefined> {
  if (named.entity_type === 'user') return withPerson(named.entity_id)
  const chatId = await findChatId(db, named)
  const chat = chatId === undefined ? undefined : await findChatFor(db, actor, chatId)
  return chat && placeIn(chat, actor)
}

/** The same, undefined as well where the chat is closed to the caller. */
export async function findReadablePlace(db: Db, actor: Actor, named: Named): Promise<Place | undefined> {
  const place = await findPlace(db, actor, named)
  if (!place || place.chat_id === null) return place
  const chat = await findChatFor(db, actor, place.chat_id)
  return chat && mayRead(actor, chat).allowed ? place : undefined
}
