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
export function region(known: readonly string[] = globalThis.navigator?.languages ?? []): string {
  const isOurs = (tag: string) => tag.toLowerCase().split('-')[0] === locale()
  return known.find((tag) => isOurs(tag) && isTag(tag)) ?? locale()
}

/** Where Linux names no language, Chromium says `en-US@posix`, which its own formatters refuse. */
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
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
