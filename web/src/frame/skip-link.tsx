import { words } from '../platform/i18n.js'
import './skip-link.css'

/** The first stop of the Tab key: past the list, to what the screen is about. */
export function SkipLink() {
  const skip = () => {
    const main = document.querySelector<HTMLElement>('.frame-main main, main')
    if (!main) return
    main.tabIndex = -1
    main.focus()
  }
  return (
    <button type="button" class="skip-link" onClick={skip}>
      {words().keys.skip}
    </button>
  )
}
