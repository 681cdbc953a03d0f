/** Beyond so many results a search does not count: nobody pages that far, and counting is what the commonest words cost. */
export const COUNTED_AT_MOST = 1000

/** How many results a search tells, of those that were counted up to one more than it tells. */
export function totalOf(counted: number): { total: number; total_is_exact: boolean } {
  return { total: Math.min(counted, COUNTED_AT_MOST), total_is_exact: counted <= COUNTED_AT_MOST }
}
