import type { Line, PortableKind } from '@parley/imports'
import type { Tx } from '../../platform/db/index.js'
import { type Key, nextIds, type RecordRow } from '../queries.js'
import type { Outcome, Phase, Run } from '../run-state.js'

export type Rows<K extends PortableKind> = readonly RecordRow<Line<K>>[]

/** A phase that writes the lines of a kind. */
export function phase<K extends PortableKind, P = void>(
  kind: K,
  batch: number,
  write: (tx: Tx, run: Run, rows: Rows<K>, prepared: P) => Promise<Outcome>,
  prepare?: (run: Run, rows: Rows<K>) => Promise<P>,
): Phase {
  return { kind, batch, write, ...(prepare && { prepare }) } as unknown as Phase
}

/** Ids for new rows: those of the file in a workspace that was empty, else the next ones. */
export function idsFor(
  tx: Tx,
  { row }: Run,
  sequence: string,
  rows: readonly { source_id: string }[],
): Promise<number[]> {
  if (row.keeps_ids) return Promise.resolve(rows.map(({ source_id }) => Number(source_id)))
  return nextIds(tx, sequence, rows.length)
}

export function keysOf(rows: readonly { source_id: string }[], ids: readonly number[], made = true): Key[] {
  return rows.map(({ source_id }, index) => ({ source_id, id: ids[index] as number, made }))
}

export const sourceIds = (rows: readonly { source_id: string }[]) => rows.map(({ source_id }) => source_id)

/** Who somebody of the file is here. */
export function personId({ people }: Run, id: number | null): number | undefined {
  return id === null ? undefined : people.get(String(id))?.id
}

export function chatId({ chats }: Run, id: number | null): number | undefined {
  return id === null ? undefined : chats.get(String(id))?.id
}
