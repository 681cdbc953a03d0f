import { isRemark, names, type ReadOptions, remark, type Source } from './records.js'

/** The same source, which says at its end which of the chats that were asked for it did not give. */
export function tellAbsent(source: Source, { chats }: ReadOptions): Source {
  if (!chats) return source
  async function* records(wanted: readonly string[]): ReturnType<Source['records']> {
    const absent = new Set(wanted)
    for await (const record of source.records()) {
      yield record
      if (!isRemark(record) && record.kind === 'chat')
        for (const name of absent) if (names(name, record)) absent.delete(name)
    }
    for (const name of absent)
      yield remark('warning', 'chat', 'was asked for, and is no chat that the archive holds', name)
  }
  return { ...source, records: () => records(chats) }
}
