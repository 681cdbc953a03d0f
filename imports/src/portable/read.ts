import type { KeyObject } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { type Archive, ArchiveError } from '../archive/archive.js'
import { openArchive } from '../archive/open.js'
import { readLines } from '../lines.js'
import { type Remark, remark, type Source } from '../records.js'
import { ENTRIES, fileName, kindOfEntry, MANIFEST } from './layout.js'
import { faultOfLine, type Line } from './lines.js'
import { type IdsUpTo, type Manifest, readManifest } from './manifest.js'
import { type PortableKind, type PortableRecord, recordOf } from './records.js'
import { verifyPortable } from './verify.js'

/** A portable file, opened: a source whose records are lines. */
export interface PortableSource extends Source<PortableRecord> {
  name: 'portable'
  manifest: Manifest
}

export function isPortable(archive: Archive): boolean {
  return archive.entries.has(MANIFEST)
}

/** Opens a portable file that is whole, and signed by this key where one is given; any other is refused. */
export async function openPortable(path: string, key: KeyObject | null = null): Promise<PortableSource> {
  const { whole, faults } = await verifyPortable(path, key)
  if (!whole) {
    const told = faults
      .slice(0, 3)
      .map(({ entry, line, fault }) => `${entry}${line ? `:${line}` : ''} ${fault}`)
    throw new ArchiveError(`the file is not whole: ${told.join('; ')}`)
  }
  const archive = await openArchive(path)
  try {
    if (archive.refused.length > 0) throw new ArchiveError(`an entry is refused: ${archive.refused[0]}`)
    const manifest = readManifest(await text(await archive.open(MANIFEST)))
    return {
      name: 'portable',
      workspace: manifest.workspace.id,
      manifest,
      records: () => readRecords(archive, manifest.ids_up_to),
      openFile: (sha256) => archive.open(fileName(sha256)),
      lost: ['passwords, tokens and secrets'],
      close: () => archive.close(),
    }
  } catch (error) {
    await archive.close()
    throw error
  }
}

async function* readRecords(archive: Archive, limits: IdsUpTo): AsyncIterable<PortableRecord | Remark> {
  const known = new Set<string>(ENTRIES.map(({ kind }) => kind))
  for (const { kind } of ENTRIES) {
    const names = [...archive.entries.keys()].filter((name) => kindOfEntry(name) === kind).sort()
    for (const name of names) yield* readEntry(archive, name, kind, limits)
  }
  for (const name of archive.entries.keys())
    if (!known.has(kindOfEntry(name) ?? '') && !/^(files\/|parley\.json$|sums\.jsonl$)/.test(name))
      yield remark('warning', 'entry', 'is not known to this version', name)
}

async function* readEntry<K extends PortableKind>(
  archive: Archive,
  name: string,
  kind: K,
  limits: IdsUpTo,
): AsyncIterable<PortableRecord | Remark> {
  let number = 0
  for await (const text of readLines(await archive.open(name))) {
    number += 1
    const line = text === null ? undefined : parse(text)
    const fault = faultOfLine(kind, line) ?? faultOfId(kind, line as { id?: unknown }, limits)
    if (fault) yield remark('skipped', kind, fault, `${name}:${number}`)
    else yield recordOf(kind, line as Line<K>) as PortableRecord
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const COUNTED: Partial<Record<PortableKind, keyof IdsUpTo>> = {
  person: 'people',
  bot: 'people',
  tag: 'tags',
  property: 'properties',
  file: 'files',
  chat: 'chats',
  message: 'messages',
  thread: 'threads',
  draft: 'drafts',
  task: 'tasks',
}

/** An id beyond those that the manifest counts would be given a second time by the server that keeps it. */
function faultOfId(kind: PortableKind, { id }: { id?: unknown }, limits: IdsUpTo): string | undefined {
  const counted = COUNTED[kind]
  return counted && (id as number) > limits[counted] ? 'has an id beyond those of the manifest' : undefined
}
