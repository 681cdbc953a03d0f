import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'

/** An element holds its old parents, and through them nodes that have left the page since: elements are made anew after a while. */
export const KEPT_AT_MOST = 150

/** One element for an item as long as the item and `inputs` are the same: what is given the same element is not drawn again. */
export function useKeptElements<T>(make: (item: T) => VNode, inputs: readonly unknown[]): (item: T) => VNode {
  return useMemo(() => keepElements(make), inputs)
}

export function keepElements<T, E>(make: (item: T) => E): (item: T) => E {
  const kept = new Map<T, E>()
  return (item) => {
    const known = kept.get(item)
    if (known !== undefined) return known
    if (kept.size >= KEPT_AT_MOST) kept.clear()
    const element = make(item)
    kept.set(item, element)
    return element
  }
}
