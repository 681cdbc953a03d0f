export interface PageOf<T> {
  items: readonly T[]
  /** The cursor of the next page; null on the last one. */
  next: string | null
}

/** The cursor in the answer of a list, as `PageOf` has it. */
export function nextOf(meta: { paginate: { has_next: boolean; next_page: string } } | undefined) {
  return meta?.paginate.has_next ? meta.paginate.next_page : null
}

/** Rows may move between two pages while they are read: each is shown once. */
export function joinPages<T>(known: readonly T[], more: readonly T[], keyOf: (item: T) => unknown): T[] {
  const there = new Set(known.map(keyOf))
  return [...known, ...more.filter((item) => !there.has(keyOf(item)))]
}
