import { randomBytes } from 'node:crypto'
import { BLANK } from '../platform/http/fault-text.js'
import { Problem } from '../platform/problem.js'

export const BOT_NICKNAME = 'must end in _bot, after letters, digits and _ alone'
const RESERVED = new Set(['all', 'here'])
const RESERVED_TEXT = 'all and here stand for everybody in a mention: choose another'
// Commas, brackets and the like would make several addresses of one in a letter.
const EMAIL = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:".]+(\.[^\s@<>()[\]\\,;:".]+)*$/u

export function cleanEmail(given: string): string {
  const email = given.trim()
  if (email === '') throw new Problem(422, 'blank', { key: 'email', value: given, message: BLANK })
  return checkEmail(email)
}

export function checkEmail(email: string): string {
  if (EMAIL.test(email)) return email
  throw new Problem(400, 'invalid', { key: 'email', value: email, message: 'must be a mail address' })
}

export function isReserved(nickname: string): boolean {
  return RESERVED.has(nickname.toLowerCase())
}

/** A nickname as a person may choose it: one word that a mention can name. */
export function cleanNickname(given: string): string {
  const nickname = given.trim()
  const detail = { key: 'nickname', value: given }
  if (nickname === '') throw new Problem(422, 'blank', { ...detail, message: BLANK })
  if (/[\s@]/u.test(nickname))
    throw new Problem(422, 'invalid', { ...detail, message: 'must have neither spaces nor @' })
  if (isReserved(nickname))
    throw new Problem(422, 'use_of_system_words', { ...detail, message: RESERVED_TEXT })
  return nickname
}

/** The nicknames of bots have a suffix that those of people cannot have. */
export function checkBotNickname(nickname: string) {
  if (!/^\w*_bot$/i.test(nickname))
    throw new Problem(422, 'invalid', { key: 'nickname', value: nickname, message: BOT_NICKNAME })
}

export function nicknameFromEmail(email: string): string {
  const local = email.split('@')[0] ?? ''
  return local.replaceAll(/[^\p{L}\p{N}._-]/gu, '').slice(0, 255) || 'user'
}

/** The same nickname with a few random characters, for when it is taken. */
export function distinct(nickname: string): string {
  return `${nickname.slice(0, 248)}_${randomBytes(3).toString('hex')}`
}

/** Names of tags, where that is what was given; anything else is undefined. */
export function tagNames(given: unknown): string[] | undefined {
  if (!Array.isArray(given)) return undefined
  const isName = (item: unknown): item is string => typeof item === 'string' && item.trim() !== ''
  return given.every(isName) ? [...new Set(given.map((name) => name.trim()))] : undefined
}
