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
  /** Takes an answer, with what was applied while it was on its way: the answer may be older than that. */
  hearing<T, R>(asked: Promise<T>, take: (answer: T, heard: readonly Change[]) => R | Promise<R>): Promise<R>
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
    async hearing(asked, take) {
      const heard: Change[] = []
      recordings.add(heard)
      let answer: Awaited<typeof asked>
      try {
        answer = await asked
      } finally {
        recordings.delete(heard)
      }
      // In the same turn: nothing is applied between the end of the recording and the answer.
      return take(answer, heard)
    },
    state: signals as unknown as StateOf<A>,
    apply(change) {
      for (const heard of recordings) heard.push(change)
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
