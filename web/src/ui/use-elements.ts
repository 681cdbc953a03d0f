import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'

/**
 * Draws each thing once, until one of `inputs` changes: the same thing is the same element, which a list passes over without
 * a look at its parts.
 */
export function useElements<T extends object>(
  draw: (thing: T) => VNode,
  inputs: readonly unknown[],
): (thing: T) => VNode {
  return useMemo(() => {
    const drawn = new WeakMap<T, VNode>()
    return (thing: T) => {
      const element = drawn.get(thing) ?? draw(thing)
      drawn.set(thing, element)
      return element
    }
  }, inputs)
}
