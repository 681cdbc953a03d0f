import { grouped } from './group.js'
import { listChatsOf, listExportedChats, listMembersOf } from './item-queries.js'
import { presentChat } from './present.js'
import { type Step, save } from './step.js'

/** Chats of one step; a chat comes with all of its members. */
const STEP_CHATS = 50

/** One step of chats.json: some chats more, or its end. */
export async function stepChats({ ctx, row, files }: Step) {
  const ids = await listExportedChats(ctx.db, row, STEP_CHATS)
  await files.open('chats.json', null)
  const last = ids.at(-1)
  if (last === undefined) {
    await files.close()
    return save(ctx, row, files, { phase: 'assembly' })
  }
  const chats = await listChatsOf(ctx.db, ids)
  const members = grouped(await listMembersOf(ctx.db, ids), ({ chat_id }) => chat_id)
  if (chats.length > 0) await files.add(chats.map((chat) => presentChat(chat, members.get(chat.id) ?? [])))
  return save(ctx, row, files, { after_chat_id: last })
}
