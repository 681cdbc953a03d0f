import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, deleteMessage, searchMessages } from '@parley/contract'
import fc from 'fast-check'
import { sql } from 'kysely'
import { world } from '../testing/world.js'
import { searchJobs } from './jobs.js'

const HOUR_MS = 3_600_000

test('words that no message has any more leave the list of words, and come back with the next message', async (t) => {
  const { ctx, alice, office, clock } = await world(t)
  const forgetWords = () => searchJobs(ctx)['search.forget_words'].run()
  const say = async (content: string) => {
    const body = { message: { entity_id: office.id, content } }
    return (await alice.call(createMessage, { body })).data.id
  }
  const words = async () => {
    const rows = await ctx.db.selectFrom('search_words').select('word').distinct().orderBy('word').execute()
    return rows.map(({ word }) => word)
  }
  const found = async (query: string) => (await alice.call(searchMessages, { query: { query } })).meta.total
  /** Transactions of other tests are waited for, too. */
  const until = async (done: () => Promise<boolean>) => {
    while (!(await done())) await forgetWords()
  }

  await say('остается навсегда')
  const first = await say('уходит')
  const second = await say('возвращается')
  for (const id of [first, second]) await alice.call(deleteMessage, { params: { id } })
  await forgetWords()
  assert.deepEqual(await words(), ['возвращается', 'навсегда', 'остается', 'уходит'])

  clock.advance(3 * HOUR_MS)
  await say('возвращается')
  assert.equal(await found('возвращается'), 1)
  await until(async () => !(await words()).includes('уходит'))
  assert.deepEqual(await words(), ['возвращается', 'навсегда', 'остается'])
  assert.deepEqual([await found('возвращается'), await found('остаётся'), await found('уходит')], [1, 1, 0])
  await say('уходит')
  assert.equal(await found('уходит'), 1)
})

test('a word is unused where no message of the whole history has it, wherever that lies', async (t) => {
  const { ctx, alice, office } = await world(t)
  const SEGMENT = 4096
  const NEWEST = 200
  const place = { chat_id: office.id, root_chat_id: office.id, user_id: alice.id }
  const time = { created_at: new Date(0), changed_at: new Date(0) }
  const segments = [0, 1, 17, 40, 50, 75, 100, 130, 150, 170, 198, 199, NEWEST]
  const said = segments.flatMap((segment, n) =>
    ['есть', 'было'].map((word, k) => ({
      id: segment * SEGMENT + k + 1,
      ...place,
      ...time,
      content: `${word}${n} ${word}`,
      deleted_at: k === 0 ? null : new Date(0),
    })),
  )
  await ctx.db.insertInto('messages').values(said).execute()
  await ctx.pool.query(`select setval('messages_id_seq', $1)`, [NEWEST * SEGMENT + 2])
  const words = said.flatMap(({ content }) => content.split(' '))
  const { rows } = await sql<{ word: string }>`
    select search_words_unused(${[...new Set(words)]}::text[]) as word`.execute(ctx.autocommit)
  const gone = words.filter((word) => word.startsWith('было'))
  assert.deepEqual(rows.map(({ word }) => word).sort(), [...new Set(gone)].sort())
})

/** What is a word, said plainly: folded, split at everything that is no letter or digit, a hundred letters at most. */
const PLAINLY = sql`coalesce((
  select array_agg(left(word, 100) order by place)
  from regexp_split_to_table(search_fold(concat_ws(' ', content, file_names)), '[^[:alnum:]]+') with ordinality x (word, place)
  where word <> ''), '{}')`

test('a text has the words that it has, however they are found', async (t) => {
  const { ctx } = await world(t)
  const letter = fc.constantFrom(
    ...'aZ9яЁё éÉñ\u0301ş😄漢*_~.,-@\n\t\u00a0\ufeff ',
    '  ',
    'x'.repeat(99),
    'yy',
    'ж'.repeat(120),
  )
  const texts = fc.sample(
    fc.array(letter, { maxLength: 30 }).map((letters) => letters.join('')),
    { numRuns: 400, seed: 7 },
  )
  const { rows } = await sql<{ content: string; found: string[]; wanted: string[] }>`
    select content, search_words_in(content, file_names) as found, ${PLAINLY} as wanted
    from unnest(${texts}::text[], ${texts.toReversed()}::text[]) as x (content, file_names)
    where search_words_in(content, file_names) is distinct from ${PLAINLY}
      or search_words_in(content, null) is distinct from (select ${PLAINLY} from (select content, null::text as file_names) y)`.execute(
    ctx.autocommit,
  )
  assert.deepEqual(rows, [])
})
