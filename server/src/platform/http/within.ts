import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

const NAME = 'parley-within'
const VALUE = randomBytes(16).toString('hex')

/** Goes with requests that this process makes to itself; nobody else knows the value. */
export const WITHIN = { [NAME]: VALUE }

export function isWithin(request: FastifyRequest): boolean {
  return request.headers[NAME] === VALUE
}
