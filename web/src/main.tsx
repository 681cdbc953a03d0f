import { render } from 'preact'
import { App } from './app.js'
import { browserLocale, setLocale } from './platform/i18n.js'
import './style/fonts.css'
import './style/tokens.css'
import './style/base.css'

await setLocale(browserLocale())
render(<App />, document.getElementById('app') as HTMLElement)
