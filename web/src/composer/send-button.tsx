import { words } from '../platform/i18n.js'
import { Icon } from '../ui/icon.js'

export function SendButton({ ready, editing }: { ready: boolean; editing: boolean }) {
  const { composer, common } = words()
  const label = editing ? common.save : composer.send
  return (
    <button type="submit" class="send" disabled={!ready} aria-label={label} data-tip={label}>
      <Icon name={editing ? 'check' : 'send'} />
    </button>
  )
}
