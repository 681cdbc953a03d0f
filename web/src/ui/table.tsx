import type { ComponentChildren } from 'preact'
import './table.css'

export interface Column<T> {
  title: string
  draw(row: T): ComponentChildren
  /** Numbers and dates are aligned to the right. */
  end?: boolean
}

interface TableProps<T> {
  caption: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf(row: T): string | number
  empty: string
}

/** On a narrow screen each row stands by itself, its first column as the heading and the others below with their titles. */
export function Table<T>({ caption, columns, rows, keyOf, empty }: TableProps<T>) {
  if (rows.length === 0) return <p class="table-empty">{empty}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too.
    <section class="table-box" tabIndex={0} aria-label={caption}>
      <table class="table">
        <caption class="only-heard">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, end }) => (
              <th key={title} scope="col" class={end ? 'table-end' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, draw, end }) => (
                <td key={title} data-title={title} class={end ? 'table-end' : undefined}>
                  {draw(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
