import { effect } from '@preact/signals'
import { browserLocale, locale, setLocale } from '../platform/i18n.js'
import { state } from '../store.js'

/** Theme, contrast and language follow the person's preferences, here and on every device. */
export function followPreferences() {
  effect(() => {
    const { theme, contrast, density } = state.preferences.value
    const { dataset } = document.documentElement
    if (theme === 'auto') delete dataset.theme
    else dataset.theme = theme
    dataset.density = density
    if (contrast) dataset.contrast = 'more'
    else delete dataset.contrast
  })
  effect(() => {
    const wanted = state.preferences.value.locale
    const next = wanted === 'auto' ? browserLocale() : wanted
    if (next !== locale()) void setLocale(next)
  })
}
