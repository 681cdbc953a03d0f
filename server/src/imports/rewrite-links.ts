import { canBeSpelled, type LinkTarget, linkTargetOf, type Remark, remark, TEXT_BYTES } from '@parley/imports'
import { type ImportedMessage, listMessagePlaces } from '../messages/import-queries.js'
import type { Tx } from '../platform/db/index.js'
import { findKeys } from './queries.js'
import type { Run } from './run-state.js'

const ADDRESS = /https?:\/\/[^\s<>"`)\]]*[^\s<>"`)\].,;:!?]/g
/** Code stays as it was typed. */
const CODE = /(```[\s\S]*?```|`[^`\n]*`)/

interface Written {
  source_id: string
  first: boolean
  message: ImportedMessage
}

type Place = Pick<ImportedMessage, 'id' | 'chat_id' | 'root_chat_id'>

const outsideCode = (content: string) => content.split(CODE).filter((_, index) => index % 2 === 0)

function targetsIn({ row }: Run, content: string): LinkTarget[] {
  if (!content.includes('://')) return []
  const source = row.source as Parameters<typeof linkTargetOf>[0]
  return outsideCode(content).flatMap((text) =>
    [...text.matchAll(ADDRESS)].flatMap(([url]) => linkTargetOf(source, url) ?? []),
  )
}

/** The address here; undefined where the target is not here, or is that of another host. */
function addressOf(run: Run, target: LinkTarget, places: ReadonlyMap<string, Place>): string | undefined {
  const { app_url } = run.ctx.config
  const chat = target.chat === null ? undefined : run.chats.get(target.chat)
  if (target.chat !== null && !chat) return undefined
  if (chat && target.spelled !== null && !canBeSpelled(chat.name, target.spelled)) return undefined
  if (target.message === null) return chat && `${app_url}/chats/${chat.id}`
  const place = places.get(target.message)
  if (!place || (chat && place.root_chat_id !== chat.id)) return undefined
  return `${app_url}/chats/${place.chat_id}?message=${place.id}`
}

/** Messages of this batch and of earlier ones that the batch links to. */
async function findPlaces(tx: Tx, run: Run, written: readonly Written[], targets: readonly LinkTarget[]) {
  const places = new Map<string, Place>(
    written.flatMap(({ source_id, first, message }) => (first ? [[source_id, message] as const] : [])),
  )
  const wanted = targets.flatMap(({ message }) => (message === null || places.has(message) ? [] : [message]))
  const keys = await findKeys(tx, run.row, 'message', [...new Set(wanted)])
  const found = await listMessagePlaces(tx, [...keys.values()])
  for (const [source_id, id] of keys) {
    const place = found.get(id)
    if (place) places.set(source_id, place)
  }
  return places
}

/** Lets links to messages and chats of the old host lead to them here. What is not here, or comes later, keeps its address. */
export async function rewriteLinks(
  tx: Tx,
  run: Run,
  written: readonly Written[],
  remarks: Remark[],
): Promise<void> {
  const linking = written.filter(({ message }) => targetsIn(run, message.content).length > 0)
  if (linking.length === 0) return
  const targets = linking.flatMap(({ message }) => targetsIn(run, message.content))
  const places = await findPlaces(tx, run, written, targets)
  const source = run.row.source as Parameters<typeof linkTargetOf>[0]
  for (const { message, source_id } of linking) {
    let left = 0
    const rewrite = (url: string) => {
      const target = linkTargetOf(source, url)
      const address = target && addressOf(run, target, places)
      if (target && !address) left += 1
      return address ?? url
    }
    const content = message.content
      .split(CODE)
      .map((text, index) => (index % 2 === 0 ? text.replaceAll(ADDRESS, rewrite) : text))
      .join('')
    if (Buffer.byteLength(content) <= TEXT_BYTES) message.content = content
    if (left > 0)
      remarks.push(remark('warning', 'message', 'links to the old host, to what is not here yet', source_id))
  }
}
