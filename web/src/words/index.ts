import type { en } from './en/index.js'

/** Texts are strings, or functions of what they speak about. */
export type Text<T> = T extends string
  ? string
  : T extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { readonly [K in keyof T]: Text<T[K]> }

/** What a dictionary must hold: a missing or a surplus key does not compile. */
export type Words = Text<typeof en>
