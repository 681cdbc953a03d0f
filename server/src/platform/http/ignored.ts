import type { FastifyReply } from 'fastify'

/** A header has to stay short, however much of a body was read otherwise than it was written. */
const NAMES_AT_MOST = 20

/** Whether another name fits into the header. */
export function noted(names: ReadonlySet<string>): boolean {
  return names.size < NAMES_AT_MOST
}

/** Names input that was left aside as the contract says, or read otherwise than it was written. */
export function noteIgnored(reply: FastifyReply, name: string) {
  const before = reply.getHeader('Parley-Ignored')
  const names = before ? String(before).split(', ') : []
  if (!names.includes(name)) reply.header('Parley-Ignored', [...names, name].join(', '))
}
