import { type Static, Type } from 'typebox'
import { operation } from '../operation.js'
import { BOTS, EMPLOYEES } from '../scopes.js'
import {
  annotated,
  Cursor,
  Data,
  Enum,
  Id,
  Limit,
  Nullable,
  NullableTimestamp,
  Page,
  TimeInput,
  Timestamp,
} from '../shapes.js'
import { BotEventName } from './settings.js'

export const ReplayState = Enum(['running', 'finished', 'cancelled'])
export type ReplayState = Static<typeof ReplayState>

/** `all` events, those whose delivery `failed` or was cancelled, or those that are `missing` from the log of the endpoint. */
export const ReplayOnly = Enum(['all', 'failed', 'missing'])
export type ReplayOnly = Static<typeof ReplayOnly>

/** Events of a period that are sent to a bot again, or for the first time. */
export const Replay = Type.Object({
  id: Id,
  state: annotated(ReplayState, { description: '`finished` when each was delivered or given up.' }),
  from: annotated(Timestamp, { description: 'Events of this time or later.' }),
  to: annotated(Timestamp, { description: 'Events of this time or earlier.' }),
  events: Nullable(Type.Array(BotEventName), {
    description: 'Only these events; null for all that the endpoint takes.',
  }),
  chat_ids: Nullable(Type.Array(Id), { description: 'Only events of these chats; null for all.' }),
  only: annotated(ReplayOnly, { description: 'Which of them.' }),
  to_endpoint: Type.String({ description: 'Name of the endpoint, or `queue`.' }),
  total: Type.Integer({ description: 'How many events it found when it was made.' }),
  done: Type.Integer({ description: 'How many were delivered so far.' }),
  failed: Type.Integer({ description: 'How many were given up or cancelled.' }),
  position: Type.Integer({ format: 'int64', description: 'Place of the event that it has come to.' }),
  created_at: Timestamp,
  finished_at: NullableTimestamp,
})
export type Replay = Static<typeof Replay>

/** What a replay would send. */
export const ReplayPlan = Type.Object({
  total: Type.Integer({ description: 'How many events.' }),
  by_event: Type.Record(Type.String(), Type.Integer(), { description: 'How many of each event.' }),
})
export type ReplayPlan = Static<typeof ReplayPlan>

export const ReplayRequest = Type.Object({
  from: annotated(TimeInput, { description: 'Events of this time or later; at most a week ago.' }),
  to: Type.Optional(
    annotated(TimeInput, { description: 'Events of this time or earlier; now when absent.' }),
  ),
  events: Type.Optional(Type.Array(BotEventName, { description: 'Only these events.' })),
  chat_ids: Type.Optional(
    Type.Array(Id, { maxItems: 100, description: 'Only events of these chats and of threads in them.' }),
  ),
  only: Type.Optional(annotated(ReplayOnly, { default: 'all', description: 'Which of them.' })),
  to_endpoint: Type.Optional(
    Type.String({
      default: 'default',
      description:
        'Name of an endpoint, or `queue` for the queue of a bot that polls, which takes `all` alone.',
    }),
  ),
})
export type ReplayRequest = Static<typeof ReplayRequest>

const DESCRIPTION =
  'In the background, in order within each chat, at most 50 a second, behind what happens meanwhile and not holding it up. Each event keeps its `webhook-id` and body; the headers `Parley-Replay` and `Parley-Replay-Original` name the replay and the time of the event. Sent is what the bot may see now and could hear then; of messages deleted since, the deletion. A bot has one running replay.'
const EDITORS = 'Whoever may edit the bot.'
const OWN = 'Bot tokens only.'

const rest = { area: 'Bots', plan: null, rate: 'other', addition: true } as const
const writing = { ...rest, scope: 'bots:write', roles: EMPLOYEES, access: EDITORS } as const
const reading = { ...rest, scope: 'bots:read', roles: EMPLOYEES, access: EDITORS } as const
const ownWriting = { ...rest, scope: 'webhooks:write', roles: BOTS, access: OWN } as const
const ownReading = { ...rest, scope: 'webhooks:read', roles: BOTS, access: OWN } as const

const paging = Type.Object({ limit: Type.Optional(Limit(50)), cursor: Type.Optional(Cursor) })
const asking = {
  method: 'POST',
  body: ReplayRequest,
  confined: false,
} as const
const CODES = ['invalid', 'invalid_date_range', 'not_found', 'not_applicable', 'inclusion'] as const
const created = {
  ...asking,
  dryRun: false,
  returns: { status: 202, body: Data(Replay) },
  problems: { 404: ['not_found'], 422: [...CODES, 'already_exists'] },
} as const
const planned = {
  ...asking,
  returns: { status: 200, body: Data(ReplayPlan) },
  problems: { 404: ['not_found'], 422: CODES },
} as const
const one = { returns: { status: 200, body: Data(Replay) }, problems: { 404: ['not_found'] } } as const
const many = { returns: { status: 200, body: Page(Replay) }, problems: { 404: ['not_found'] } } as const
const cancelled = {
  method: 'DELETE',
  description: 'What was not sent yet is cancelled. One that has ended stays as it is.',
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
} as const

export const createReplay = operation({
  id: 'createReplay',
  summary: 'Send the events of a period to a bot again',
  description: DESCRIPTION,
  ...writing,
  ...created,
  path: '/bots/{id}/replays',
  params: Type.Object({ id: Id }),
})

export const planReplay = operation({
  id: 'planReplay',
  summary: 'Count what a replay would send',
  ...writing,
  ...planned,
  path: '/bots/{id}/replays/plan',
  params: Type.Object({ id: Id }),
})

export const listReplays = operation({
  id: 'listReplays',
  summary: 'Replays of a bot, newest first',
  ...reading,
  ...many,
  method: 'GET',
  path: '/bots/{id}/replays',
  params: Type.Object({ id: Id }),
  query: paging,
})

export const getReplay = operation({
  id: 'getReplay',
  summary: 'One replay and how far it has come',
  ...reading,
  ...one,
  method: 'GET',
  path: '/bots/{id}/replays/{replay_id}',
  params: Type.Object({ id: Id, replay_id: Id }),
})

export const cancelReplay = operation({
  id: 'cancelReplay',
  summary: 'Cancel a replay',
  ...writing,
  ...cancelled,
  path: '/bots/{id}/replays/{replay_id}',
  params: Type.Object({ id: Id, replay_id: Id }),
})

export const createOwnReplay = operation({
  id: 'createOwnReplay',
  summary: 'A bot has the events of a period sent again',
  description: DESCRIPTION,
  ...ownWriting,
  ...created,
  path: '/bot/replays',
})

export const planOwnReplay = operation({
  id: 'planOwnReplay',
  summary: 'A bot counts what a replay would send',
  ...ownWriting,
  ...planned,
  path: '/bot/replays/plan',
})

export const listOwnReplays = operation({
  id: 'listOwnReplays',
  summary: 'Replays of the calling bot, newest first',
  ...ownReading,
  ...many,
  method: 'GET',
  path: '/bot/replays',
  query: paging,
})

export const getOwnReplay = operation({
  id: 'getOwnReplay',
  summary: 'One replay of the calling bot',
  ...ownReading,
  ...one,
  method: 'GET',
  path: '/bot/replays/{replay_id}',
  params: Type.Object({ replay_id: Id }),
})

export const cancelOwnReplay = operation({
  id: 'cancelOwnReplay',
  summary: 'A bot cancels a replay of its own',
  ...ownWriting,
  ...cancelled,
  path: '/bot/replays/{replay_id}',
  params: Type.Object({ replay_id: Id }),
})
