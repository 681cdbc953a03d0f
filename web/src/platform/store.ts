import { batch, type ReadonlySignal, signal } from '@preact/signals'
import type { Change } from './changes.js'

/** One area of the state: how it begins, and what a change makes of it. An untouched state is given back as it is. */
export interface Area<S> {
  initial: S
  reduce(state: S, change: Change): S
}

type StateOf<A> = { readonly [K in keyof A]: A[K] extends Area<infer S> ? ReadonlySignal<S> : never }
export type ValuesOf<A> = { [K in keyof A]: A[K] extends Area<infer S> ? S : never }

export interface Store<A> {
  state: StateOf<A>
  apply(change: Change): void
  /** Notes what is applied from now on; the result ends it and gives what was noted. */
  record(): () => readonly Change[]
  /** Puts areas back as they were kept on the device. */
  restore(values: Partial<ValuesOf<A>>): void
}

/** Holds the areas behind one signal each. Components read the signals; `apply` and `restore` alone write them. */
// biome-ignore lint/suspicious/noExplicitAny: each area has a state of its own.
export function createStore<A extends Record<string, Area<any>>>(areas: A): Store<A> {
  const names = Object.keys(areas)
  const signals = Object.fromEntries(names.map((name) => [name, signal(areas[name]?.initial)]))
  const recordings = new Set<Change[]>()
  return {
    record() {
      const noted: Change[] = []
      recordings.add(noted)
      return () => {
        recordings.delete(noted)
        return noted
      }
    },
    state: signals as unknown as StateOf<A>,
    apply(change) {
      for (const noted of recordings) noted.push(change)
      batch(() => {
        for (const name of names) {
          const held = signals[name]
          if (held) held.value = areas[name]?.reduce(held.value, change)
        }
      })
    },
    restore(values) {
      batch(() => {
        for (const [name, value] of Object.entries(values)) {
          const held = signals[name]
          if (held) held.value = value
        }
      })
    },
  }
}
