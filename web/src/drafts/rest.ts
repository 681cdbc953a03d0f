import { call } from '../platform/api.js'
import { type Change, hasLost } from '../platform/changes.js'
import { nextOf } from '../platform/pages.js'
import { apply, hearing } from '../store.js'

/** The start holds no more than the newest. */
const STARTED_WITH = 50

const isOfDraft = (change: Change) =>
  change.type === 'draft' || (change.type === 'live' && change.frame.type.startsWith('draft.'))

/** Reads the drafts that the start left out; an unknown one would be written over without having been seen. */
export async function readOtherDrafts(started: number, isWanted: () => boolean) {
  if (started < STARTED_WITH) return
  for (let cursor: string | null = ''; cursor !== null; ) cursor = await readPage(cursor, isWanted)
}

function readPage(cursor: string, isWanted: () => boolean): Promise<string | null> {
  const query = { limit: STARTED_WITH, ...(cursor === '' ? {} : { cursor }) }
  return hearing(call('listDrafts', { query }), ({ data, meta }, heard) => {
    if (!isWanted() || hasLost(heard)) return null
    apply({ type: 'more_drafts', drafts: data })
    heard.filter(isOfDraft).forEach(apply)
    return nextOf(meta)
  })
}
