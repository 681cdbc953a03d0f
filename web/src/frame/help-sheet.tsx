import { signal } from '@preact/signals'
import { words } from '../platform/i18n.js'
import { shortcuts, showKeys, useShortcuts } from '../platform/keys.js'
import { switcherOpen } from '../switcher/switcher-host.js'
import { Dialog } from '../ui/dialog.js'
import './help-sheet.css'

export const helpOpen = signal(false)

/** Lists every key that works on this screen; also keeps the keys of the whole client. */
export function HelpSheet() {
  const { keys, common } = words()
  const show = () => {
    helpOpen.value = true
  }
  const jump = () => {
    switcherOpen.value = true
  }
  useShortcuts(
    [
      { keys: 'Mod+K', label: keys.jump, whileWriting: true, run: jump },
      { keys: 'Mod+/', label: keys.help, whileWriting: true, run: show },
    ],
    [keys],
  )
  if (!helpOpen.value) return null
  const close = () => {
    helpOpen.value = false
  }
  return (
    <Dialog title={keys.title} closeLabel={common.close} onClose={close}>
      <dl class="help-keys">
        {shortcuts.value.map(({ keys, label }) => (
          <div key={keys}>
            <dt>{label}</dt>
            <dd>
              <kbd>{showKeys(keys)}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
