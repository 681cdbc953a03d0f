import type { TestContext } from 'node:test'
import {
  createMessage,
  listViews,
  openView,
  pressButton,
  submitView,
  type ViewBlockUnion,
} from '@parley/contract'
import type { ApiFailure } from '@parley/sdk/contract'
import { type Received, startReceiver } from '../testing/receiver.js'
import { type World, type WorldOptions, world } from '../testing/world.js'

type Answer = (received: Received) => { status?: number; body?: string } | 'silence'

/** A receiver whose answers can be changed, and whose requests can be waited for. */
export async function startBotServer(t: TestContext) {
  let answer: Answer = () => ({})
  const waiting: (() => void)[] = []
  const receiver = await startReceiver((received, response) => {
    const reply = answer(received)
    for (const wake of waiting.splice(0)) wake()
    if (reply === 'silence') return
    response.statusCode = reply.status ?? 200
    response.end(reply.body ?? '')
  })
  t.after(() => receiver.close())
  return {
    url: receiver.url,
    requests: receiver.requests,
    answer(next: Answer) {
      answer = next
    },
    /** The bodies of this type, once there are so many. */
    async bodies(type: string, count = 1): Promise<Record<string, unknown>[]> {
      for (;;) {
        const found = receiver.requests.map(({ body }) => body).filter((body) => body.type === type)
        if (found.length >= count) return found
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
  }
}

/**
 * A bot that hears its buttons at an address, and a message of it in the office. The clock stands still, as a press opens a form
 * for three seconds.
 */
export async function stage(t: TestContext, options: WorldOptions = {}) {
  const scene = await world(t, options)
  scene.clock.freeze(true)
  const server = await startBotServer(t)
  await setBot(scene, { outgoing_url: server.url, events: ['button_click'] })
  const message = await say(scene)
  const bob = await scene.as(scene.bob.id, { session: true })
  return { ...scene, server, message, bob }
}

export function setBot({ ctx, bot }: Pick<World, 'ctx' | 'bot'>, change: object) {
  return ctx.db.updateTable('bots').set(change).where('user_id', '=', bot.id).execute()
}

export const BUTTONS = [
  [
    { text: 'Ask', data: 'ask' },
    { text: 'Site', url: 'https://example.org' },
  ],
]

async function say({ bot, office }: World) {
  const message = { entity_id: office.id, content: 'What now?', buttons: BUTTONS }
  return (await bot.call(createMessage, { body: { message } })).data
}

export type Stage = Awaited<ReturnType<typeof stage>>

export const ASK = { row: 0, column: 0 }

/** Bob presses; the trigger of it. */
export async function press({ bob, message }: Stage): Promise<string> {
  const { data } = await bob.call(pressButton, { params: { id: message.id }, body: ASK })
  return data.trigger_id
}

export function formOf(trigger_id: string, blocks: object[], more: object = {}) {
  return {
    body: {
      type: 'modal' as const,
      trigger_id,
      view: { title: 'Leave', blocks: blocks as ViewBlockUnion[] },
      ...more,
    },
  }
}

export const NAME_FIELD = { type: 'input', name: 'name', label: 'Name' }

/** Bob presses, the bot opens a form, and bob sees it. */
export async function openForm(scene: Stage, blocks: object[] = [NAME_FIELD], more: object = {}) {
  // Forms of one moment have no order.
  scene.clock.advance(1)
  await scene.bot.call(openView, formOf(await press(scene), blocks, more))
  const { data } = await scene.bob.call(listViews)
  return data[0] as (typeof data)[number]
}

export const send = (
  scene: Pick<Stage, 'bob'>,
  id: string,
  data: Record<string, unknown> = { name: 'Bob' },
  key?: string,
) => scene.bob.call(submitView, { params: { id }, body: { data }, ...(key && { idempotency_key: key }) })

/** The faults of a refusal: status, then `key code` or, of a bot's texts, `key text`. */
export async function refusal(call: Promise<unknown>): Promise<string[]> {
  try {
    await call
    return []
  } catch (error) {
    const { status, errors } = error as ApiFailure
    return [
      String(status),
      ...errors.map(({ key, code, message }) => `${key} ${code === 'displayed_error' ? message : code}`),
    ]
  }
}
