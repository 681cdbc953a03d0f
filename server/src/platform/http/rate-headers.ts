import type { FastifyReply } from 'fastify'
import type { RateVerdict } from '../rates/rates.js'

/** Tells a client how much of its tightest window is left, and when that is full again. */
export function rateHeaders(reply: FastifyReply, { rule, remaining, reset_ms }: RateVerdict) {
  reply.header('RateLimit-Policy', `"${rule.name}";q=${rule.limit};w=${rule.window_ms / 1000}`)
  reply.header('RateLimit', `"${rule.name}";r=${remaining};t=${Math.ceil(reset_ms / 1000)}`)
}
