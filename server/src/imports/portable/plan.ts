import { settlePortableChats } from '../../chats/portable-queries.js'
import type { Tx } from '../../platform/db/index.js'
import { linkInviters } from '../../users/portable-queries.js'
import type { Run } from '../run-state.js'
import { audit } from './audit.js'
import { chats, members, reads, threads } from './chats.js'
import { properties, propertyValues, tagMembers, tags } from './details.js'
import { endpoints } from './endpoints.js'
import { files } from './files.js'
import { pins, reactions } from './marks.js'
import { messages } from './messages.js'
import { bots, people } from './people.js'
import { drafts, tasks } from './plans.js'
import { importKeys, settings } from './settings.js'

/** In this order: what is named comes before what names it, and members after messages, so that nobody sees half a chat. */
export const PORTABLE_PHASES = [
  people,
  bots,
  tags,
  tagMembers,
  properties,
  propertyValues,
  chats,
  endpoints,
  threads,
  messages,
  drafts,
  files,
  members,
  reads,
  reactions,
  pins,
  tasks,
  settings,
  importKeys,
  audit,
]

/** What can only be said once everything is there. */
export async function finishPortable(tx: Tx, run: Run) {
  await linkInviters(tx, run.row)
  await settlePortableChats(tx, run.row)
}
