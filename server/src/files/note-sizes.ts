import type { FastifyReply } from 'fastify'
import { noteIgnored } from '../platform/http/ignored.js'

interface Sized {
  size?: number | null
}

/** Names the sizes that a caller gave and that are not those of the stored files, which are shown instead. */
export function noteSizes(
  reply: FastifyReply,
  given: readonly Sized[] | undefined,
  stored: readonly Sized[],
) {
  for (const [index, { size }] of (given ?? []).entries()) {
    if (typeof size === 'number' && size !== stored[index]?.size) noteIgnored(reply, `files.${index}.size`)
  }
}
