import { LRUCache } from 'lru-cache'
import { Agent } from 'undici'
import { createConnector } from './connector.js'
import { OutboundError } from './error.js'
import { exchange, type OutboundAnswer, type OutboundRequest, type Target } from './exchange.js'
import { createGuard, type GuardOptions } from './guard.js'
import { createResolve, type Resolve } from './resolve.js'

export interface OutboundOptions extends GuardOptions {
  maxConnectionsPerOrigin?: number
  /** How a host name becomes addresses; by `createResolve` where left out. */
  resolve?: Resolve
  /** Certificate authorities to trust in place of the usual ones, in PEM. */
  ca?: string
}

export interface Outbound {
  /** One exchange; rejects with an OutboundError, or with the signal's reason. Redirects are answers like others. */
  request(request: OutboundRequest): Promise<OutboundAnswer>
  /** Whether a URL may be asked for as it is written; nothing is resolved or connected. */
  check(url: string): Promise<{ ok: true } | { ok: false; reason: string }>
  /** Ends open exchanges and closes every connection. */
  close(): Promise<void>
}

const KEEP_ALIVE_MS = 4_000
const KEPT_TARGETS = 1_000

/** Makes the one client through which the server calls hosts that its users name. */
export function createOutbound(options: OutboundOptions): Outbound {
  const guard = createGuard(options)
  const agent = new Agent({
    connect: createConnector(guard, options.resolve ?? createResolve(), options.ca),
    connections: options.maxConnectionsPerOrigin ?? 16,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
  })

  /** What the guard let pass as written it lets pass again; addresses are checked again on every connection. */
  const targets = new LRUCache<string, Target>({ max: KEPT_TARGETS })
  function targetOf(text: string): Target {
    const known = targets.get(text)
    if (known) return known
    const { origin, pathname, search } = guard.url(text)
    const target = { origin, path: pathname + search }
    targets.set(text, target)
    return target
  }

  return {
    async request(request) {
      return await exchange(agent, targetOf(request.url), request)
    },
    async check(url) {
      try {
        guard.url(url)
        return { ok: true }
      } catch (error) {
        if (error instanceof OutboundError) return { ok: false, reason: error.message }
        throw error
      }
    },
    close: () => agent.destroy(),
  }
}
