import type { ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import { listDeliveries } from '@parley/contract'
import { type Received, startReceiver } from '../testing/receiver.js'
import { type World, world } from '../testing/world.js'
import { say } from './testing-events.js'

type Answering = (received: Received, response: ServerResponse, count: number) => void

/** A world whose bot sends to a receiver that answers as given. */
export async function stageWith(t: TestContext, answer?: Answering) {
  const stage = await world(t)
  // A busy machine may take longer than the wait for a second attempt.
  stage.clock.freeze(true)
  const receiver = await startReceiver(answer)
  t.after(() => receiver.close())
  const events = ['message_new']
  await stage.ctx.db.updateTable('bots').set({ outgoing_url: receiver.url, events }).execute()
  const said = (content: string, chat_id = stage.office.id) =>
    say(stage.ctx, { chat_id, user_id: stage.alice.id, content })
  const contents = () => receiver.requests.map(({ body }) => body.content)
  const log = async (query: object = {}) =>
    (await stage.alice.call(listDeliveries, { params: { id: stage.bot.id }, query })).data
  return { ...stage, receiver, said, contents, log }
}

export const fails =
  (status: number, headers: Record<string, string> = {}): Answering =>
  (_, response) =>
    response.writeHead(status, headers).end()

/** Chats of the bot's own, so that many attempts can fail side by side. */
export async function manyChats({ ctx, bot, alice }: World, count: number): Promise<number[]> {
  const { rows } = await ctx.pool.query(
    `with made as (
       insert into chats (kind, name, owner_id, meet_slug, created_at, last_message_at)
       select 'conversation', 'many', $1, 'many', now(), now() from generate_series(1, $3::int) returning id),
     joined as (insert into chat_members (chat_id, user_id, role, joined_at) select id, $2, 'member', now() from made)
     select id from made`,
    [alice.id, bot.id, count],
  )
  return rows.map(({ id }) => Number(id))
}
