import type { Exchange, Json, Mutation, Reply, Webhook } from './proxy.js'

/** A way to break the API, and the laws that have to notice; each trial begins with a new one. */
export interface Breakage {
  name: string
  laws: readonly string[]
  mutation(): Mutation
}

export function breaks(name: string, laws: readonly string[], mutation: () => Mutation): Breakage {
  return { name, laws, mutation }
}

type On = readonly [method: string, path: RegExp]

const fits = ([method, path]: On, exchange: Exchange) =>
  exchange.method === method && path.test(exchange.path)

/** Where a call is recognised: `POST /messages/{id}/pin`. */
export function on(call: string): On {
  const [method = '', path = ''] = call.split(' ')
  return [method, new RegExp(`^/v1${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)]
}

type Change = (reply: Reply, exchange: Exchange) => void

/** Changes the answers of a call that succeed. */
export function answers(call: string, change: (body: Json, reply: Reply, exchange: Exchange) => void) {
  const where = on(call)
  return (): Mutation => ({
    reply(reply, exchange) {
      if (fits(where, exchange) && reply.status < 300) change(reply.body, reply, exchange)
    },
  })
}

/** Changes every answer that has a status. */
export function whenever(status: number, change: Change) {
  return (): Mutation => ({
    reply(reply, exchange) {
      if (reply.status === status) change(reply, exchange)
    },
  })
}

/** Changes what a call sends, as if the server did not look at it. */
export function ignores(call: string, change: (exchange: Exchange) => void) {
  const where = on(call)
  return (): Mutation => ({
    request(exchange) {
      if (fits(where, exchange)) change(exchange)
      return undefined
    },
  })
}

const nothing = (status = 204): Reply => ({ status, headers: {}, body: undefined })

/** Answers a call with success and does not do it. */
export function forgets(call: string, isMeant: (exchange: Exchange) => boolean = () => true) {
  const where = on(call)
  return (): Mutation => ({
    request: (exchange) => (fits(where, exchange) && isMeant(exchange) ? nothing() : undefined),
  })
}

/** Turns the refusal of a call into a success: of what succeeded before, or of a body that is given. */
export function accepts(call: string, status: number, body?: Json) {
  const where = on(call)
  return (): Mutation => {
    let last: Json = body
    return {
      reply(reply, exchange) {
        if (!fits(where, exchange)) return
        if (reply.status < 300) last = body ?? reply.body
        else Object.assign(reply, { status, body: last })
      },
    }
  }
}

/** Lets a call pass with the rights of somebody else, whose token was seen first. */
export function asFirstCaller(call: string) {
  const where = on(call)
  return (): Mutation => {
    let first: string | undefined
    return {
      request(exchange) {
        first ??= exchange.headers.authorization
        if (fits(where, exchange) && first) exchange.headers.authorization = first
        return undefined
      },
    }
  }
}

/** Changes what reaches a bot. */
export function webhooks(change: (webhook: Webhook) => void) {
  return (): Mutation => ({
    webhook(webhook, deliver) {
      change(webhook)
      return deliver(webhook)
    },
  })
}

/** Changes the error items of refusals with a status. */
export function errors(status: number, change: (items: Json[], body: Json) => void) {
  return whenever(status, ({ body }) => {
    if (body?.errors) change(body.errors, body)
  })
}
