import { type Static, Type } from 'typebox'
import { ChatCard } from './chat-cards.js'
import { Draft } from './drafts.js'
import { type AnyEvent, AUDIENCES, EVENTS, type EventKind, type EventOf } from './events/index.js'
import { operation } from './operation.js'
import { PersonCard } from './people.js'
import { PEOPLE } from './scopes.js'
import { annotated, Id, Nullable, Timestamp } from './shapes.js'
import { TimelineMessage } from './timeline.js'

/** Current data that a frame carries with the event, as its receiver sees it. */
const FrameExtras = Type.Object({
  /** Of events about a message, a reaction or a new thread. */
  message: Type.Optional(TimelineMessage),
  /** Of `chat.*`, of joining, and of the own read pointer. */
  chat: Type.Optional(ChatCard),
  draft: Type.Optional(annotated(Draft, { description: 'Of `draft.saved`, while the draft is there.' })),
  people: Type.Optional(
    Type.Array(PersonCard, {
      description: 'Of `user.*`, `company_members.*` and `chat_members.*`: the first fifty people.',
    }),
  ),
  client_key: Type.Optional(
    Type.String({
      description: 'Idempotency-Key of the request that sent the message; for its sender alone.',
    }),
  ),
})

/** The `data` of `ready`, the first frame of a stream, and of `reset`. */
export const LiveReady = Type.Object({
  position: Type.String(),
  version: Type.String({ description: 'As getStart tells it.' }),
})
export type LiveReady = Static<typeof LiveReady>

/** The `data` of one server-sent event; its `event` is the type and its `id` the position to resume from. */
export type LiveEvent = EventOf<AnyEvent> & {
  chat_id: number | null
  actor_id: number
  created_at: string
} & Static<typeof FrameExtras>

/** `message.created` is `MessageCreatedEvent` in the printed document. */
function nameOf({ type }: EventKind): string {
  const words = type.split(/[._]/).map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
  return `${words.join('')}Event`
}

function frameOf({ type, summary, audience, payload }: EventKind) {
  const fields = {
    chat_id: Nullable(Id),
    actor_id: Id,
    created_at: Timestamp,
    payload,
    ...FrameExtras.properties,
  }
  const description = `${summary} Audience: ${AUDIENCES[audience]}`
  return Type.Object({ type: Type.Literal(type), ...fields }, { description, 'x-audience': audience })
}

/** The frame of each kind of event, by its name in the printed document. */
export const EVENT_FRAMES = new Map(EVENTS.map((kind) => [nameOf(kind), frameOf(kind)]))

export const LiveEvent = Type.Unsafe<LiveEvent>({ anyOf: [...EVENT_FRAMES.values()] })

export const openLive = operation({
  id: 'openLive',
  confined: false,
  area: 'Live',
  summary: 'Everything that happens, as it happens',
  description:
    'Server-sent events. `event` is the type, `data` a LiveEvent and `id` the position to resume from: a reconnect ' +
    'with `Last-Event-ID` goes on where it ended; without it the stream starts now. The stream begins with `ready`; ' +
    '`reset` instead says that the position is no longer kept and everything must be read again. `presence.changed` and ' +
    '`typing.started` come in passing, without an id, and are not repeated. New kinds of ' +
    'events may be added: ignore those that you do not know. Beside its payload a frame shows what it is about as the ' +
    'receiver sees it now: the message, the chat, the draft or the people.',
  access: 'Each kind of event names its audience.',
  method: 'GET',
  path: '/live',
  scope: 'messages:read',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  addition: true,
  returns: { status: 200, media: 'text/event-stream', data: LiveEvent },
  problems: { 400: ['invalid'] },
})
