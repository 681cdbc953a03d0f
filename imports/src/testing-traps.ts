import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openSource } from './open-source.js'
import { type ImportRecord, isRemark, type MessageRecord, type ReadOptions, type Remark } from './records.js'
import { writeZip } from './testing-archive.js'
import { renderText } from './text/render.js'

/*
 * Traps of the formats, and where they are tested. `exports` are the generated archives (testing-export.ts of each source), whose
 * import is checked in server/src/imports/<source>.test.ts; `traps` is traps.test.ts of the source.
 *
 * all         absolute and `..` paths, links, unknown entries, damaged JSON, equal ids, times in the future    exports
 *             wrapping folder, __MACOSX, names without the UTF-8 flag, ratios, duplicate names                 archive.test.ts, exports
 *             secrets of the source are nowhere; a second run writes nothing                                   exports, fetch.test.ts
 *             the same address twice, names that are taken or reserved, guests, more than ten files,
 *             limits of reactions                                                                              people.test.ts, exports
 *             links to the old host                                                                            links.test.ts
 * slack       organisation, huddle_thread, file_comment, hidden_by_limit, shared messages, me_message,
 *             pictures of bots, authors of no kind, Slackbot, U00, previews and fallbacks of attachments, the
 *             single file of old messages, files without access, unknown subtypes, pins of files, Markdown and
 *             calls in blocks, tokens in any address, damaged lists                                            traps
 *             replies before roots, missing roots, equal ts, tombstone, thread_broadcast, bots by B… alone,
 *             fields as null, list and object, created as text and 1, folders without record, rich text blocks exports
 *             tokens in angle brackets, marks at word edges, fences inside a line, escapes                     render.test.ts
 *             HTML in place of bytes, tokens in addresses, redirects                                           fetch.test.ts
 * mattermost  burn_on_read, participants, posts without a time, lines under any name, paths with the folder of
 *             the server, direct posts that were not asked for, posts of plugins, webhooks and reactions of
 *             bots, roles and schemes                                                                          traps
 *             roots in random order, replies before roots, user and bot of one name, unknown authors, me,
 *             two posts of a millisecond, props as text, webhooks, names and pictures of single posts, NFD
 *             paths, broken lines, followers of threads                                                        exports
 * zulip       polls, edit_history, limited posting, notices of the service, links to uploads without a label,
 *             names that two members share, fields with people, notes to self, names of old versions, tasks,
 *             topics whose ids do not follow time, topics in one row, own names of emoji, reactions of bots,
 *             resolve notices, the realm, damaged tables                                                       traps
 *             both ways to write to one person, topics without regard to case, resolved topics, equal names,
 *             dummies, unknown senders, DEACTIVATED names, uploads in several messages, damaged files          exports
 * rocketchat  former versions, deleted and encrypted messages, discussions, teams, GridFS out of order, quotes,
 *             renamed people in reactions, both Markdowns, archives and folders of mongodump, CSV              exports, text.test.ts
 */

/** What a reader makes of an archive. */
interface Read {
  workspace: string
  records: ImportRecord[]
  remarks: Remark[]
  /** By id. */
  messages: Map<string, MessageRecord & { said: string }>
}

const NAMES = { person: () => undefined, chat: () => undefined, tag: () => undefined }

/** Reads an archive with these entries. */
export async function read(
  t: TestContext,
  entries: Record<string, unknown>,
  options: ReadOptions = {},
): Promise<Read> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-traps-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'export.zip')
  await writeZip(path, entries)
  const source = await openSource(path, null, options)
  const found: Read = { workspace: source.workspace, records: [], remarks: [], messages: new Map() }
  for await (const record of source.records()) {
    if (isRemark(record)) found.remarks.push(record)
    else found.records.push(record as ImportRecord)
    if (!isRemark(record) && record.kind === 'message')
      found.messages.set(record.id, { ...record, said: renderText(record.text, NAMES).parts.join('\n') })
  }
  await source.close()
  return found
}
