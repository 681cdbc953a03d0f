import { OutboundError } from './error.js'
import type { OutboundAnswer } from './exchange.js'

export interface Fault {
  status?: number
  timeout?: boolean
  drop?: boolean
  count: number
}

export interface Faults {
  /** The next `count` attempts meet this fault instead of the network; null lets them through again. */
  set(fault: Fault | null): void
  /** The answer that takes the place of the network, or undefined; throws where the fault is no answer. */
  meet(timeout_ms: number): OutboundAnswer | undefined
}

/** Trouble on order, for people who test how their receivers are tried again. */
export function createFaults(): Faults {
  let left = 0
  let fault: Fault | null = null
  return {
    set(next) {
      fault = next
      left = next?.count ?? 0
    },
    meet(timeout_ms) {
      if (!fault || left <= 0) return undefined
      left -= 1
      if (fault.timeout) throw new OutboundError('timeout', `no whole answer within ${timeout_ms} ms`)
      if (fault.drop) throw new OutboundError('reset', 'the connection was dropped')
      const status = fault.status ?? 500
      return { status, headers: {}, body: Buffer.alloc(0), truncated: false, duration_ms: 0 }
    },
  }
}
