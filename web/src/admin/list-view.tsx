import { MoreButton, Reading } from '../frame/waiting.js'
import type { usePages } from '../platform/use-pages.js'
import { type Column, Table } from '../ui/table.js'

interface ListViewProps<T> {
  caption: string
  columns: readonly Column<T>[]
  pages: ReturnType<typeof usePages<T>>
  keyOf(row: T): string | number
  empty: string
}

/** A list that is read page by page, as a table. */
export function ListView<T>({ caption, columns, pages, keyOf, empty }: ListViewProps<T>) {
  const { items, error, busy, more } = pages
  if (error) return <p role="alert">{error}</p>
  if (!items) return <Reading />
  return (
    <>
      <Table caption={caption} columns={columns} rows={items} keyOf={keyOf} empty={empty} />
      {more && <MoreButton busy={busy} onMore={more} />}
    </>
  )
}
