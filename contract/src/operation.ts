import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from './errors.js'
import type { RateClass } from './rates.js'
import type { Role, ScopeName } from './scopes.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What is publicly true of a call: server, SDK, CLI, OpenAPI and tests all read this one value. */
export interface Operation {
  id: string
  area: string
  summary: string
  description?: string
  /** The rule about the object, on top of the scope, in words for the reference. */
  access?: string
  method: Method
  /** Other methods that clients use for the same; not in the document. */
  aliases?: readonly Method[]
  path: string
  scope: ScopeName | null
  /** A bot may call it with any token of its own, whatever scopes that token has. */
  botsWithoutScope?: true
  plan: 'corporation' | null
  /** Callers that may use it; empty means that no token is asked for. */
  roles: readonly Role[]
  rate: RateClass | null
  /** Open to login sessions of people alone, not to personal or bot tokens. */
  sessionOnly?: true
  /** Works while the workspace is suspended. */
  whileSuspended?: true
  /** Works for people who lack the second factor that the workspace asks for. */
  whileUnprotected?: true
  params?: TObject
  query?: TObject
  body?: TSchema
  bodyOptional?: true
  /** Media types of the body, where it is not JSON alone. */
  media?: readonly string[]
  /**
   * `variant` is what comes instead of the body in the case that the description names; `data` is what each event of
   * a stream carries.
   */
  returns: { status: number; body?: TSchema; variant?: TSchema; media?: string; data?: TSchema }
  /** Refusals beyond those that follow from the shapes and the token: `problemStatuses` and `problemCodes` add these. */
  problems?: { readonly [status: number]: readonly ErrorCode[] }
  /** Statuses that the agreed document declares for it and this server never answers: a fault in a query is 400. */
  neverAnswered?: readonly number[]
  /** Refuses in the shape of OAuth (RFC 6749, 5.2). */
  oauthErrors?: true
  /** Stands at the root of the server and not below the API prefix. */
  root?: true
  /** Posted to an address that the API hands out, which may be another server. */
  external?: true
  /** Exists in a sandbox alone. */
  sandbox?: true
  optional?: true
  /** Ours: not part of the agreed document. */
  addition?: true
  /** May be answered by a replica, a moment late; never without what the caller has written (`Parley-Position`). */
  mayLag?: true
  /** Cannot be tried with `Parley-Dry-Run`: it does something that no rollback takes back, or hands out a secret. */
  dryRun?: false
  /** Closed to tokens with limits on chats: what it does or shows cannot be kept to some chats. */
  confined?: false
}

export function operation<const O extends Operation>(value: O): O {
  return value
}

type Shape<T> = T extends TSchema ? Static<T> : undefined
export type ParamsOf<O extends Operation> = Shape<O['params']>
export type QueryOf<O extends Operation> = Shape<O['query']>
export type BodyOf<O extends Operation> = Shape<O['body']>
export type ResultOf<O extends Operation> = Shape<O['returns']['body']>
