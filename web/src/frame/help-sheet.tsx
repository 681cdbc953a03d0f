import { signal } from '@preact/signals'
import { openNeighbour } from '../chats/neighbours.js'
import { MARK_KEYS } from '../composer/marks.js'
import { words } from '../platform/i18n.js'
import { shortcuts, showKeys, useShortcuts } from '../platform/keys.js'
import { state } from '../store.js'
import { switcherOpen } from '../switcher/switcher-host.js'
import { Dialog } from '../ui/dialog.js'
import './help-sheet.css'

export const helpOpen = signal(false)

/** Lists every key that works on this screen; also keeps the keys of the whole client. */
export function HelpSheet() {
  const { keys, common, composer } = words()
  const show = () => {
    helpOpen.value = true
  }
  const jump = () => {
    switcherOpen.value = true
  }
  useShortcuts(
    [
      { keys: 'Mod+K', label: keys.jump, whileWriting: true, run: jump },
      { keys: 'Alt+ArrowDown', label: keys.chatBelow, whileWriting: true, run: () => openNeighbour(1) },
      { keys: 'Alt+ArrowUp', label: keys.chatAbove, whileWriting: true, run: () => openNeighbour(-1) },
      { keys: 'Mod+/', label: keys.help, whileWriting: true, run: show },
    ],
    [keys],
  )
  if (!helpOpen.value) return null
  const enterSends = state.preferences.value.enter_sends
  const close = () => {
    helpOpen.value = false
  }
  return (
    <Dialog title={keys.title} closeLabel={common.close} onClose={close} textOnly>
      <Keys rows={shortcuts.value.map(({ keys, label }) => [showKeys(keys), label])} />
      <h3 class="help-part">{keys.writing}</h3>
      <Keys
        rows={[
          [showKeys(enterSends ? 'Enter' : 'Mod+Enter'), keys.send],
          [showKeys(enterSends ? 'Shift+Enter' : 'Enter'), keys.newLine],
          [showKeys('ArrowUp'), keys.editLast],
          ...Object.entries(MARK_KEYS).map(([key, mark]) => [showKeys(key), composer.marks[mark]] as const),
        ]}
      />
      <h3 class="help-part">{keys.reading}</h3>
      <Keys
        rows={[
          [`${showKeys('ArrowUp')} ${showKeys('ArrowDown')}`, keys.walk],
          [showKeys('Enter'), keys.actions],
          [showKeys('Escape'), keys.toField],
        ]}
      />
    </Dialog>
  )
}

function Keys({ rows }: { rows: readonly (readonly [keys: string, label: string])[] }) {
  return (
    <dl class="help-keys">
      {rows.map(([keys, label]) => (
        <div key={keys}>
          <dt>{label}</dt>
          <dd>
            <kbd>{keys}</kbd>
          </dd>
        </div>
      ))}
    </dl>
  )
}
