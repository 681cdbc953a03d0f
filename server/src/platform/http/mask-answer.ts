import { isSecretField } from '../secret-fields.js'
import type { Sequences } from './dry-run-queries.js'

const HIDDEN = '…'

/** The table whose rows a field names, by its name or by the field that holds the object. */
const NOUNS: readonly [RegExp, string][] = [
  [/(^|_)messages?(_id)?$/, 'messages'],
  [/(^|_)chats?(_id)?$/, 'chats'],
  [/(^|_)threads?(_id)?$/, 'threads'],
  [/(^|_)(users?|bots?|owner|creator|author|performers?)(_id)?$/, 'users'],
  [/(^|_)files?(_id)?$/, 'files'],
  [/(^|_)tasks?(_id)?$/, 'tasks'],
  [/(^|_)drafts?(_id)?$/, 'drafts'],
  [/(^|_)tokens?(_id)?$/, 'tokens'],
]

/** Sequences whose numbers no answer shows. */
const INSIDE = /^(events|jobs|audit|deliver|queued)/

interface Drawn {
  isNew(sequence: string, value: unknown): boolean
  isAnyNew(value: unknown): boolean
}

function drawnSince(before: Sequences, after: Sequences): Drawn {
  const isNew = (name: string, value: unknown) =>
    typeof value === 'number' && value > (before.get(name) ?? 0) && value <= (after.get(name) ?? 0)
  const shown = [...after.keys()].filter((name) => !INSIDE.test(name))
  return { isNew, isAnyNew: (value) => shown.some((name) => isNew(name, value)) }
}

const sequenceOf = (noun: string) => {
  const table = NOUNS.find(([pattern]) => pattern.test(noun))?.[1]
  return table && `${table}_id_seq`
}

/**
 * Puts 0 for ids that only this rolled-back transaction knew, so that no caller takes them for real, in addresses too,
 * and hides new secrets.
 */
export function maskAnswer(text: string, status: number, before: Sequences, after: Sequences): string {
  const drawn = drawnSince(before, after)

  const isGone = (name: string, value: unknown, holder: string): boolean => {
    if (typeof value !== 'number') return false
    if (name === 'id' && holder === 'data') return status === 201 || drawn.isAnyNew(value)
    const sequence = sequenceOf(name === 'id' ? holder : name)
    return sequence !== undefined && drawn.isNew(sequence, value)
  }

  /** Ids follow their noun: `/chats/5?message=7`. */
  const withoutIds = (address: string) =>
    address.replaceAll(
      /(\w+)([/=])(\d+)(?=$|[/?&#])/g,
      (whole, noun: string, sign: string, digits: string) =>
        drawn.isNew(sequenceOf(noun) ?? '', Number(digits)) ? `${noun}${sign}0` : whole,
    )

  function masked(value: unknown, name: string, holder: string): unknown {
    if (Array.isArray(value)) return value.map((item) => masked(item, name, holder))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [key, masked(inner, key, name || 'data')]),
      )
    if (typeof value === 'string' && value !== '' && isSecretField(name)) return HIDDEN
    if (typeof value === 'string' && /(^|_)url$/.test(name)) return withoutIds(value)
    return isGone(name, value, holder) ? 0 : value
  }

  return JSON.stringify(masked(JSON.parse(text), '', ''))
}
