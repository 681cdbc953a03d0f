import type { Archive } from './archive/archive.js'
import { type Remark, remark, type Source } from './records.js'

/** A source whose files are entries of its archive. */
export function sourceOf(
  archive: Archive,
  { name, workspace, lost, records }: Pick<Source, 'name' | 'workspace' | 'lost' | 'records'>,
): Source {
  return {
    name,
    workspace,
    lost,
    records,
    openFile: (path) => archive.open(path),
    close: () => archive.close(),
  }
}

/** What of an archive is not read: entries that are refused, and names at its top that no such export has. */
export function* tellUnread({ entries, refused }: Archive, known: RegExp): Iterable<Remark> {
  for (const entry of refused) yield remark('skipped', 'entry', 'is refused', entry)
  const unknown = [...entries.keys()].filter((name) => !known.test(name))
  for (const top of new Set(unknown.map((name) => name.replace(/\/.*/s, '/'))))
    yield remark('skipped', 'entry', 'is not part of such an export', top)
}
