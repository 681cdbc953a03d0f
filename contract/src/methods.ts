import type { Operation } from './operation.js'
import { OPERATIONS } from './operations.js'

/** Nouns that are shorter than their area. */
const NOUNS: Record<string, { noun: string; word: string }> = {
  'Chat members': { noun: 'members', word: 'ChatMember' },
  'Group tags': { noun: 'tags', word: 'GroupTag' },
  OAuth: { noun: 'oauth', word: 'OAuth' },
}

const capital = (word: string) => `${word[0]?.toUpperCase()}${word.slice(1)}`
const small = (word: string) => `${word[0]?.toLowerCase()}${word.slice(1)}`

function nounOf(area: string): { noun: string; word: string } {
  const joined = area.split(/\W+/).map(capital).join('')
  return NOUNS[area] ?? { noun: small(joined), word: joined.replace(/ies$/, 'y').replace(/s$/, '') }
}

/** `createMessage` is `create` among the messages, `listGroupTagUsers` is `listUsers` among the tags. */
function verbOf(id: string, { noun, word }: { noun: string; word: string }): string {
  if (id.startsWith(noun)) return small(id.slice(noun.length)) || id
  const plural = word.replace(/y$/, 'ie')
  return id.replace(new RegExp(`(?<=[a-z])(In)?(${word}|${word}s|${plural}s)(?=[A-Z]|$)`), '')
}

export interface MethodName {
  noun: string
  verb: string
  operation: Operation
}

/** Every operation under the name that client libraries give it: `messages.create`. */
export function methodNames(): MethodName[] {
  const names = OPERATIONS.map((operation) => {
    const noun = nounOf(operation.area)
    return { noun: noun.noun, verb: verbOf(operation.id, noun), operation }
  })
  const seen = new Map<string, string>()
  for (const { noun, verb, operation } of names) {
    const other = seen.get(`${noun}.${verb}`)
    if (other) throw new Error(`${noun}.${verb} would be both ${other} and ${operation.id}`)
    seen.set(`${noun}.${verb}`, operation.id)
  }
  return names
}
