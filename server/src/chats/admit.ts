import { type ApiErrorItem, ERROR_MESSAGES } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import type { Tx } from '../platform/db/index.js'
import { Problem, problemItem } from '../platform/problem.js'
import { type Candidate, listCandidates, lockPeople } from './member-queries.js'
import { isOccupied, mayAddBot, mayJoinAsGuest } from './member-rules.js'
import type { ChatFor } from './queries.js'

const idsOf = (people: readonly Candidate[]) => people.map(({ id }) => id)

const TEXTS = {
  bot_add_denied: ERROR_MESSAGES.bot_add_denied,
  single_chat_bot_occupied: ERROR_MESSAGES.single_chat_bot_occupied,
  displayed_error: 'a guest is in one chat and its threads alone',
  not_found: 'there are no active people or bots with these ids',
}

interface Faults {
  status: number
  errors: ApiErrorItem[]
}

function note(faults: Faults, status: number, code: keyof typeof TEXTS, ids: readonly number[]) {
  if (ids.length === 0) return
  if (faults.errors.length === 0) faults.status = status
  faults.errors.push(problemItem(code, { key: 'member_ids', value: ids, message: TEXTS[code] }))
}

function refuse({ status, errors }: Faults) {
  if (errors.length > 0) throw Problem.of(status, errors)
}

function noteUnfit(faults: Faults, actor: Actor, chat: ChatFor | null, people: readonly Candidate[]) {
  const bots = people.filter(({ bot, id }) => bot && (chat || id !== actor.user_id))
  note(faults, 403, 'bot_add_denied', idsOf(bots.filter((bot) => !mayAddBot(actor, bot))))
  note(faults, 409, 'single_chat_bot_occupied', idsOf(people.filter((bot) => isOccupied(bot, chat))))
  const guests = people.filter(({ role }) => role === 'guest')
  note(faults, 422, 'displayed_error', idsOf(guests.filter((guest) => !mayJoinAsGuest(guest, chat))))
}

/** Those who join a new chat: inactive people are left out, and a bot that may not be added fails the call. */
export async function admitToNewChat(tx: Tx, actor: Actor, userIds: readonly number[]): Promise<number[]> {
  const everybody = [...userIds, actor.user_id]
  await lockPeople(tx, everybody)
  const people = (await listCandidates(tx, everybody, null)).filter(({ active }) => active)
  const faults: Faults = { status: 403, errors: [] }
  noteUnfit(faults, actor, null, people)
  refuse(faults)
  return idsOf(people).filter((id) => id !== actor.user_id)
}

/** Those who join a chat that is there. One who cannot stops the whole call; members are passed over. */
export async function admitToChat(tx: Tx, actor: Actor, chat: ChatFor, userIds: readonly number[]) {
  const people = await listCandidates(tx, userIds, chat)
  const active = new Set(idsOf(people.filter((person) => person.active)))
  const faults: Faults = { status: 404, errors: [] }
  note(
    faults,
    404,
    'not_found',
    userIds.filter((id) => !active.has(id)),
  )
  const fresh = people.filter((person) => person.active && !person.member)
  noteUnfit(faults, actor, chat, fresh)
  refuse(faults)
  return [...active]
}

/** How bots that a tag does not bring are named in `Parley-Ignored`. */
export function namesOfBots(ids: readonly number[]): string[] {
  return ids.map((id) => `bot_id:${id}`)
}
