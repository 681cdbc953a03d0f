import { filled } from './json.js'

const LONGEST = 255

/** The address of a picture that a message shows its author with, without its query, which may hold a token. */
export function pictureUrl(value: unknown): string | null {
  const url = filled(value)
  return url && /^https:\/\//.test(url) && url.length <= LONGEST ? url.replace(/\?.*$/, '') : null
}
