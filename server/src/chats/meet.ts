import { randomBytes } from 'node:crypto'
import type { Config } from '../platform/config.js'

/** The address of a chat's video room, with `{room}` for its name; a page of the client where there is no video server. */
export function meetPattern({ meet_url, app_url }: Config): string {
  return meet_url ?? `${app_url}/meet/{room}`
}

/** A room name that cannot be guessed: knowing it is enough to be let in. */
export function newRoom(words: string): string {
  return `${words}-${randomBytes(16).toString('hex')}`
}
