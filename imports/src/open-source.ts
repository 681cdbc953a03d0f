import type { KeyObject } from 'node:crypto'
import { ArchiveError } from './archive/archive.js'
import { openArchive } from './archive/open.js'
import { findLines, openMattermost } from './mattermost/read.js'
import { isPortable, openPortable, type PortableSource } from './portable/read.js'
import type { ReadOptions, Source } from './records.js'
import { isCsv, openRocketChatCsv } from './rocketchat/csv.js'
import { isDump } from './rocketchat/dump.js'
import { openRocketChat } from './rocketchat/read.js'
import { isSlack, openSlack } from './slack/read.js'
import { tellAbsent } from './tell-absent.js'
import { isZulip, openZulip } from './zulip/read.js'

/**
 * Opens an archive of any source, or a portable file, which is verified first and imported whole. Where a key is given, only a
 * portable file that is signed with it is opened.
 */
export async function openAnySource(
  path: string,
  workspace: string | null,
  options: ReadOptions,
  key: KeyObject | null = null,
): Promise<Source | PortableSource> {
  if (!(await holdsPortable(path))) {
    if (key) throw new ArchiveError('only a portable file is signed')
    return openSource(path, workspace, options)
  }
  const { name_prefix, ...others } = options
  if (Object.keys(others).length > 0)
    throw new ArchiveError(`a portable file is imported whole, without ${Object.keys(others).join(', ')}`)
  return openPortable(path, key)
}

async function holdsPortable(path: string): Promise<boolean> {
  const archive = await openArchive(path)
  try {
    return isPortable(archive)
  } finally {
    await archive.close()
  }
}

/** Opens an archive and detects its source by its content. */
export async function openSource(
  path: string,
  workspace: string | null,
  options: ReadOptions,
): Promise<Source> {
  return tellAbsent(await detectSource(path, workspace, options), options)
}

async function detectSource(path: string, workspace: string | null, options: ReadOptions): Promise<Source> {
  const archive = await openArchive(path)
  try {
    if (isPortable(archive))
      throw new ArchiveError(`${path} is a portable file: parley workspace import reads it`)
    if (isSlack(archive)) return openSlack(archive, workspace, options)
    if (isZulip(archive)) return await openZulip(archive, workspace, options)
    if (isDump(archive)) return await openRocketChat(archive, workspace, options)
    if (isCsv(archive)) return openRocketChatCsv(archive, workspace, options)
    const lines = await findLines(archive)
    if (lines) return openMattermost(archive, lines, workspace, options)
    throw new ArchiveError(
      `${path} is none of the exports that can be imported (Slack, Mattermost, Zulip, Rocket.Chat)`,
    )
  } catch (error) {
    await archive.close()
    throw error
  }
}
