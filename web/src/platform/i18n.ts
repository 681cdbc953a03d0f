import { signal } from '@preact/signals'
import type { Words } from '../words/index.js'

export type Locale = 'en' | 'ru'

/** Empty until the first `setLocale`, which comes before the first render. */
const loaded = signal<{ locale: Locale; words: Words } | null>(null)

/** Every text of the screen in the chosen language. Reading it in a component redraws when the language changes. */
export function words(): Words {
  return (loaded.value as { words: Words }).words
}

export function locale(): Locale {
  return loaded.value?.locale ?? 'en'
}

/** The chosen language as it is written where the reader is: `en-GB` writes days before months. */
export function region(): string {
  const known = globalThis.navigator?.languages ?? []
  return known.find((tag) => tag.toLowerCase().split('-')[0] === locale()) ?? locale()
}

/** The language of the browser, where it is one of ours. */
export function browserLocale(): Locale {
  return navigator.language.toLowerCase().startsWith('ru') ? 'ru' : 'en'
}

/** Loads a dictionary and shows everything in it. */
export async function setLocale(wanted: Locale): Promise<void> {
  const found =
    wanted === 'ru' ? (await import('../words/ru/index.js')).ru : (await import('../words/en/index.js')).en
  loaded.value = { locale: wanted, words: found }
  document.documentElement.lang = wanted
}
