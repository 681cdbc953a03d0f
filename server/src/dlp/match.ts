import { RE2JS } from 're2js'
import type { Condition, Group } from './rule.js'

/** How often a pattern occurs in a text; counting may stop above the asked number. */
type Count = (text: string, enough: number) => number

const WORD = '[\\p{L}\\p{N}_]'
/** Endings of Russian adjectives, all genders, numbers and cases. */
const ENDINGS = 'ый|ий|ой|ая|яя|ое|ее|ые|ие|ого|его|ому|ему|ым|им|ом|ем|ую|юю|ей|ою|ею|ых|их|ыми|ими'

/** A keyword matches as a whole word; a Cyrillic one also as the adjective made of it with the letter н. */
function keyword(value: string): Count {
  const literal = value.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  const adjective = /\p{Script=Cyrillic}$/u.test(value) ? `(?:\u043d(?:${ENDINGS}))?` : ''
  const pattern = new RegExp(`(?<!${WORD})${literal}${adjective}(?!${WORD})`, 'giu')
  return (text, enough) => {
    let count = 0
    for (const _ of text.matchAll(pattern)) {
      count += 1
      if (count >= enough) break
    }
    return count
  }
}

function regex(pattern: string): Count {
  const compiled = RE2JS.compile(pattern)
  return (text, enough) => {
    const matcher = compiled.matcher(text)
    let count = 0
    while (count < enough && matcher.find()) count += 1
    return count
  }
}

type Test = (text: string) => boolean

function compileOne(condition: Condition): Test {
  if (!('type' in condition)) return compile(condition)
  const count = condition.type === 'regex' ? regex(condition.pattern) : keyword(condition.value)
  const { min_hits, max_hits } = condition
  return (text) => {
    const hits = count(text, max_hits === null ? min_hits : max_hits + 1)
    return hits >= min_hits && (max_hits === null || hits <= max_hits)
  }
}

/** Makes the test of a rule's conditions; of two lists both must hold. */
export function compile({ all, any }: Group): Test {
  const every = all?.map(compileOne)
  const some = any?.map(compileOne)
  return (text) => (!every || every.every((test) => test(text))) && (!some || some.some((test) => test(text)))
}
