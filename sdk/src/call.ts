/** What may be said of a single call beside its input. */
export interface CallOptions {
  /** Made by the client for every write when absent, so that a repeated attempt does nothing twice. */
  idempotency_key?: string
  signal?: AbortSignal
}

/** How a method is called; printed from the contract. */
export interface Call {
  id: string
  method: string
  path: string
  /** Names that go into the query. */
  query?: readonly string[]
  /** Media type of the body. */
  body?: string
  /** Below the root of the server and not below the API prefix. */
  root?: true
  /** The server keeps an Idempotency-Key of it. */
  keyed?: true
  answer: 'data' | 'body' | 'nothing' | 'response'
}

export type CallTable = Record<string, Record<string, Call>>
