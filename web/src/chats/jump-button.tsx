import { words } from '../platform/i18n.js'
import { showKeys } from '../platform/keys.js'
import { switcherOpen } from '../switcher/switcher-host.js'
import { Icon } from '../ui/icon.js'

/** Opens the quick switcher. */
export function JumpButton() {
  return (
    <button
      type="button"
      class="jump"
      aria-keyshortcuts="Control+K"
      onClick={() => {
        switcherOpen.value = true
      }}
    >
      <Icon name="search" />
      <span>{words().chats.jump}</span>
      <kbd>{showKeys('Mod+K')}</kbd>
    </button>
  )
}
