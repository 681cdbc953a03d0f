import './style/tokens.css'
import './style/base.css'
import './style/fonts.css'
import './style/print.css'
import { render } from 'preact'
import { App } from './app.js'
import { browserLocale, setLocale } from './platform/i18n.js'
import { installKeys } from './platform/keys.js'
import { followPreferences } from './settings/look.js'
import { start } from './sync.js'

async function show() {
  await setLocale(browserLocale())
  followPreferences()
  installKeys()
  render(<App />, document.getElementById('app') as HTMLElement)
}

// What the device keeps is read while the texts are loaded.
await Promise.all([start(), show()])
