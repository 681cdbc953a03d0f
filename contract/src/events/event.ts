import type { Static, TObject } from 'typebox'

/** Who receives an event live. Membership is judged when the event is sent, not when it was written. */
export const AUDIENCES = {
  chat: 'Members of the chat; for a thread, also members of the chat that its parent message is in.',
  chat_and_named: 'Members of the chat, and the people in `user_ids`.',
  chat_and_performers:
    'Members of the chat, where there is one, and the people in `user_id`, `performer_ids` and `former_performer_ids`.',
  reader: 'The person in `user_id`; in a personal chat also the other side.',
  person: 'The person in `user_id`, or the people in `user_ids`.',
  workspace: 'Everybody except guests; a guest only where `user_id` or `user_ids` names them.',
} as const
export type Audience = keyof typeof AUDIENCES

/** The fields by which an audience is found; an event that lacks them does not compile. */
interface Addressed {
  chat: { chat_id: number }
  chat_and_named: { chat_id: number; user_ids: number[] }
  chat_and_performers: { chat_id: number | null; user_id: number; performer_ids: number[] }
  reader: { chat_id: number; user_id: number }
  person: { user_id: number } | { user_ids: number[] }
  workspace: object
}

/** What is publicly true of a kind of event: emitters, readers, live stream, OpenAPI and tests read this one value. */
export interface EventKind<
  T extends string = string,
  A extends Audience = Audience,
  P extends TObject = TObject,
> {
  /** Noun and past tense: `message.created`. */
  type: T
  summary: string
  audience: A
  payload: P
}

export type PayloadOf<E extends EventKind> = Static<E['payload']>

/** Type and payload of one kind of event, or of each kind in a union. */
export type EventOf<E extends EventKind> = E extends EventKind
  ? { type: E['type']; payload: Static<E['payload']> }
  : never

export function event<const T extends string, const A extends Audience, P extends TObject>(
  value: EventKind<T, A, P> & (Static<P> extends Addressed[A] ? unknown : { payload: never }),
): EventKind<T, A, P> {
  return value
}
