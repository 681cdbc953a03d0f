import '../src/style/tokens.css'
import '../src/style/base.css'
import '../src/style/fonts.css'
import './gallery.css'
import { render } from 'preact'
import { setLocale } from '../src/platform/i18n.js'
import { ConfirmHost } from '../src/ui/confirm.js'
import { ToastHost } from '../src/ui/toast.js'
import { TooltipHost } from '../src/ui/tooltip.js'
import { Choosing } from './choosing.js'
import { Filling } from './filling.js'
import { Showing } from './showing.js'
import { Telling } from './telling.js'

await setLocale('en')
render(
  <main class="gallery">
    <h1>Every part in every state</h1>
    <Showing />
    <Choosing />
    <Filling />
    <Telling />
    <ConfirmHost />
    <ToastHost />
    <TooltipHost />
  </main>,
  document.getElementById('app') as HTMLElement,
)
