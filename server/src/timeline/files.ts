import { type ChatFile, type ChatFileKind, listChatFiles, type QueryOf } from '@parley/contract'
import type { ChatFor } from '../chats/queries.js'
import { presentFile } from '../files/present.js'
import { previewUrlOf } from '../files/preview.js'
import { hasPerimeter } from '../files/queries.js'
import type { Context } from '../platform/context.js'
import { loadPage, readPaging } from '../platform/http/page.js'
import { Problem } from '../platform/problem.js'
import { loadPeople } from '../users/person-cards.js'
import { type ChatFileRow, listChatFileRows } from './file-queries.js'

const PAGE = 50
const TYPES: Record<ChatFileKind, readonly string[]> = {
  image: ['image'],
  video: ['video'],
  audio: ['audio', 'voice'],
  file: ['file'],
}

async function presentChatFile(ctx: Context, row: ChatFileRow, perimeter: boolean): Promise<ChatFile> {
  const file = await presentFile(ctx, row, perimeter)
  const { message_id, thread_id, user_id, sent_at } = row
  const preview_url = previewUrlOf(ctx, file)
  return { ...file, preview_url, message_id, thread_id, user_id, created_at: sent_at.toISOString() }
}

/** The files of a chat and its threads. Those of a thread alone have no index, and no list. */
export async function listFilesOf(ctx: Context, chat: ChatFor, query: QueryOf<typeof listChatFiles>) {
  if (chat.kind === 'thread')
    throw new Problem(404, 'not_found', {
      key: 'id',
      value: chat.id,
      message: 'a thread has no list of files: ask for that of its chat',
    })
  const paging = readPaging(query, { list: listChatFiles.id, secret: ctx.secret, limit: PAGE })
  const types = query.kind ? TYPES[query.kind] : Object.values(TYPES).flat()
  const { data, meta } = await loadPage(
    paging,
    (part) => listChatFileRows(ctx.db, chat.id, types, part),
    ({ id }) => ({ id }),
  )
  const people = await loadPeople(
    ctx,
    data.map(({ user_id }) => user_id),
  )
  const perimeter = await hasPerimeter(ctx.db)
  return { data: await Promise.all(data.map((row) => presentChatFile(ctx, row, perimeter))), people, meta }
}
