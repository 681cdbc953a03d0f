import { ListEnd } from '../frame/waiting.js'
import type { Pages } from '../platform/use-pages.js'
import { type Column, Table } from '../ui/table.js'

interface ListViewProps<T> {
  caption: string
  columns: readonly Column<T>[]
  pages: Pages<T>
  keyOf(row: T): string | number
  empty: string
}

/** A list that is read page by page, as a table. */
export function ListView<T>({ caption, columns, pages, keyOf, empty }: ListViewProps<T>) {
  const { items } = pages
  return (
    <>
      {items && <Table caption={caption} columns={columns} rows={items} keyOf={keyOf} empty={empty} />}
      <ListEnd {...pages} />
    </>
  )
}
