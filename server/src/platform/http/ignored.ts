import type { FastifyReply } from 'fastify'

/** Names input that was left aside as the contract says, so that a caller can see that it was. */
export function noteIgnored(reply: FastifyReply, name: string) {
  const before = reply.getHeader('Parley-Ignored')
  reply.header('Parley-Ignored', before ? `${before}, ${name}` : name)
}
