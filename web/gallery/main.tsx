import { render } from 'preact'
import { formatDay, formatLength, formatMoment, formatSize } from '../src/platform/format.js'
import { setLocale } from '../src/platform/i18n.js'
import '../src/style/fonts.css'
import '../src/style/tokens.css'
import '../src/style/base.css'
import { ICON_NAMES, Icon } from '../src/ui/icon.js'

await setLocale('en')
render(
  <main>
    {ICON_NAMES.map((name) => (
      <Icon key={name} name={name} label={name} />
    ))}
    <p>{formatDay(new Date())}</p>
    <p>{formatMoment(new Date())}</p>
    <p>{formatSize(1_400_000)}</p>
    <p>{formatLength(65_000)}</p>
  </main>,
  document.getElementById('app') as HTMLElement,
)
