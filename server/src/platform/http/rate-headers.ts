import type { FastifyReply } from 'fastify'
import type { RateRule, RateVerdict } from '../rates/rates.js'

/** Rules are made once, and so are their texts. */
const policies = new WeakMap<RateRule, string>()

function policyOf(rule: RateRule): string {
  const known = policies.get(rule)
  if (known !== undefined) return known
  const policy = `"${rule.name}";q=${rule.limit};w=${rule.window_ms / 1000}`
  policies.set(rule, policy)
  return policy
}

/** Tells a client how much of its tightest window is left, and when that is full again. */
export function rateHeaders(reply: FastifyReply, { rule, remaining, reset_ms }: RateVerdict) {
  reply.header('ratelimit-policy', policyOf(rule))
  reply.header('ratelimit', `"${rule.name}";r=${remaining};t=${Math.ceil(reset_ms / 1000)}`)
}
