import { cut } from '@parley/imports'

const RESERVED = new Set(['all', 'here'])
const LONGEST = 200

/** A nickname made of a handle: one word that a mention can name. */
export function nicknameStem(handle: string): string {
  const clean = handle
    .normalize('NFC')
    .replaceAll(/[\s@]+/gu, '.')
    .replaceAll(/[^\p{L}\p{N}_.-]/gu, '')
    .replaceAll(/^[.-]+|[.-]+$/g, '')
  const word = cut(clean, LONGEST).replaceAll(/[.-]+$/g, '')
  return word === '' || RESERVED.has(word.toLowerCase()) ? 'member' : word
}

/** Nicknames to try, one after the other. */
export function* nicknamesFrom(handle: string): Generator<string> {
  const stem = nicknameStem(handle)
  yield stem
  for (let number = 2; ; number += 1) yield `${stem}${number}`
}
