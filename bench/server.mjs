// A real server in a process of its own, controlled by its parent. Events are emitted as actions emit them.
import { messageCreated } from '@parley/contract'
import { readConfig } from '../server/dist/platform/config.js'
import { transaction } from '../server/dist/platform/db/transaction.js'
import { emit } from '../server/dist/platform/events/emit.js'
import { startServer } from '../server/dist/serve.js'

const server = await startServer(readConfig(process.env))
const { ctx } = server

function payloadOf({ message_id, chat_id, user_id }) {
  const created_at = new Date(ctx.clock.now()).toISOString()
  return {
    message_id,
    chat_id,
    root_chat_id: chat_id,
    thread_id: null,
    entity_type: 'discussion',
    entity_id: chat_id,
    content: `Message ${message_id}: ${'lorem ipsum '.repeat(9)}`,
    user_id,
    created_at,
    changed_at: created_at,
    parent_message_id: null,
    thread: null,
    personal: false,
    link_preview: true,
  }
}

async function emitOne(said) {
  const payload = payloadOf(said)
  await transaction(ctx, (tx) => emit(tx, ctx, { user_id: said.user_id }, messageCreated, payload))
  return performance.timeOrigin + performance.now()
}

/** Emits at an even pace; gives the time of each commit. */
async function pace({ first_id, chats, user_id, per_second, seconds }) {
  const total = per_second * seconds
  const committed = []
  const began = performance.now()
  const pending = []
  for (let index = 0; index < total; index += 1) {
    const wait = began + (index * 1000) / per_second - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    const message_id = first_id + index
    const chat_id = chats[index % chats.length]
    pending.push(
      emitOne({ message_id, chat_id, user_id }).then((at) => committed.push([message_id, chat_id, at])),
    )
  }
  await Promise.all(pending)
  return committed
}

process.on('message', async (message) => {
  if (message === 'cpu') process.send(process.cpuUsage())
  if (message.pace) process.send({ committed: await pace(message.pace) })
  if (message.emit) {
    try {
      process.send({ done: message.emit.message_id, at: await emitOne(message.emit) })
    } catch (error) {
      process.send({ failed: message.emit.message_id, error: String(error) })
    }
  }
  if (message.stop) {
    await server.stop()
    process.exit(0)
  }
})
process.on('disconnect', () => process.exit())
process.send({ ready: true, url: server.url, owner_id: server.firstStart?.owner_id ?? null })
