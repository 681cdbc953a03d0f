import type { Archive } from './archive/archive.js'
import type { Source } from './records.js'

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
