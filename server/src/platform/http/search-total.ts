/** Beyond so many results a search does not count: nobody pages that far, and counting is what the commonest words cost. */
export const COUNTED_AT_MOST = 1000

/** The total of a search: results are counted up to one more than the largest total. */
export function totalOf(counted: number): { total: number; total_is_exact: boolean } {
  return { total: Math.min(counted, COUNTED_AT_MOST), total_is_exact: counted <= COUNTED_AT_MOST }
}
