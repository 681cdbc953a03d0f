import { words } from '../platform/i18n.js'
import { showKeys } from '../platform/keys.js'
import { Icon } from '../ui/icon.js'

/** Leads to the quick switcher. */
export function JumpButton() {
  return (
    <a class="jump" href="/search" aria-keyshortcuts="Control+K">
      <Icon name="search" />
      <span>{words().chats.jump}</span>
      <kbd>{showKeys('Mod+K')}</kbd>
    </a>
  )
}
