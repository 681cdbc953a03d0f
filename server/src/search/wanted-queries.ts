import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import { type Db, read } from '../platform/db/index.js'
import { CURRENT } from './segment-queries.js'

/** A word of a query, as the words of messages that it means. */
export interface WantedWord {
  /** Those that it may be a form or a part of; those that share its form alone where they are too many to look up. */
  any: string[]
  forms: string[]
  /** A pattern for the text, where the word is a part of too many. */
  part: string | null
}

/** A query of a person as the words of messages that it means. */
export interface Wanted {
  words: WantedWord[]
  /** All of its words as they are written, and those of them that stand in quotes. */
  exact: string[]
  quoted: string[]
  /** Patterns that the folded text has to match: quoted phrases, with any separators between their words. */
  phrases: string[]
  /** Keys of the chats the actor is in; one too many says that there are more. */
  chats: string[]
  /** The number of the newest segment. */
  newest_segment: number
}

/** Splits off what stands in quotes; a quote without its pair is no quote. */
export function splitQuery(text: string): { words: string; phrases: string[] } {
  const phrases: string[] = []
  const words = text.replaceAll(/[«“”„]|»/g, '"').replaceAll(/"([^"]*)"/g, (_, phrase: string) => {
    phrases.push(phrase)
    return ' '
  })
  return { words, phrases }
}

/** Beyond so many chats it is cheaper to look at each match than to look the chats up in the index. */
export const NARROWED_CHATS = 100
/** Beyond so many words it is cheaper to look for the part in the texts than to look the words up in the index. */
const LOOKED_UP_WORDS = 300

export async function readWanted(db: Db, actor: Actor, text: string): Promise<Wanted> {
  const { words, phrases } = splitQuery(text)
  const cleanWords = (value: string) => sql`
    array(select distinct left(word, 100) from unnest(string_to_array(search_clean(left(${value}, 1000)), ' ')) as word
      where word <> '')`
  const known = (query: RawBuilder<unknown>) => sql`
    array(select distinct known.word from search_words known where search_lexemes(known.word) @@ ${query}
      limit ${LOOKED_UP_WORDS + 1})`
  const rows = await read(
    db,
    sql<Wanted>`
    select ${cleanWords(`${words} ${phrases.join(' ')}`)} as exact, ${cleanWords(phrases.join(' '))} as quoted,
      coalesce((
        select json_agg(json_build_object('any', ${known(sql`search_query(asked.word, false, '{}')`)},
          'forms', ${known(sql`plainto_tsquery('parley_forms', asked.word)`)}, 'part', '%' || asked.word || '%'))
        from unnest(${cleanWords(words)}) as asked (word)), '[]') as words,
      array(select '(^|[^[:alnum:]])' || replace(search_clean(p), ' ', '[^[:alnum:]]+') || '([^[:alnum:]]|$)'
        from unnest(${phrases}::text[]) as p where search_clean(p) <> '') as phrases,
      array(select '#' || chat_id from chat_members where user_id = ${actor.user_id} limit ${NARROWED_CHATS + 1})
        as chats, ${CURRENT} as newest_segment`,
  )
  const wanted = rows[0] as Wanted
  return { ...wanted, words: wanted.words.map(bounded) }
}

function bounded({ any, forms, part }: WantedWord): WantedWord {
  return any.length > LOOKED_UP_WORDS ? { any: forms, forms, part } : { any, forms, part: null }
}
