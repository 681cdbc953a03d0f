import './style/tokens.css'
import './style/base.css'
import './style/fonts.css'
import './style/print.css'
import { render } from 'preact'
import { App } from './app.js'
import { followDay } from './platform/day.js'
import { browserLocale, setLocale } from './platform/i18n.js'
import { installKeys } from './platform/keys.js'
import { saysNoSession } from './platform/no-session.js'
import { followPreferences } from './settings/look.js'
import { start, startSignedOut } from './sync.js'

/** Longer than a device takes to read its snapshot. */
const SNAPSHOT_WITHIN_MS = 150

const tooLong = () => new Promise((done) => setTimeout(done, SNAPSHOT_WITHIN_MS))

// The first thing drawn is the snapshot, where there is one. It is read while the texts are loaded.
const [page] = performance.getEntriesByType('navigation')
const started = saysNoSession(page as PerformanceNavigationTiming) ? startSignedOut() : start()
await Promise.all([setLocale(browserLocale()), Promise.race([started, tooLong()])])
followPreferences()
installKeys()
followDay()
render(<App />, document.getElementById('app') as HTMLElement)
await started
