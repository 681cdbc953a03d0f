// One screen of the client with sample data: /gallery/screen.html?at=/chats/1&theme=dark&locale=ru
import '../src/style/tokens.css'
import '../src/style/base.css'
import '../src/style/fonts.css'
import { render } from 'preact'
import { App } from '../src/app.js'
import { setLocale } from '../src/platform/i18n.js'
import { followPreferences } from '../src/settings/look.js'
import { showSample } from './sample.js'

const asked = new URLSearchParams(location.search)
const locale = asked.get('locale') === 'ru' ? 'ru' : 'en'
await setLocale(locale)
showSample({ theme: asked.get('theme') ?? 'auto', contrast: asked.has('contrast'), locale })
followPreferences()
history.replaceState(null, '', asked.get('at') ?? '/chats/1')
render(<App />, document.getElementById('app') as HTMLElement)
