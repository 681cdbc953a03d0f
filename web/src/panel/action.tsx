import { words } from '../platform/i18n.js'
import { Icon, type IconName } from '../ui/icon.js'

interface ActionProps {
  icon: IconName
  label: string
  /** What one may not do is shown all the same, with the reason. */
  allowed?: boolean
  danger?: boolean
  pressed?: boolean
  onRun(): void
}

/** Something that can be done with the chat. */
export function Action({ icon, label, allowed = true, danger = false, pressed, onRun }: ActionProps) {
  return (
    <button
      type="button"
      class={`panel-action ${danger && allowed ? 'panel-danger' : ''}`}
      aria-disabled={!allowed}
      aria-pressed={pressed}
      data-tip={allowed ? undefined : words().common.notAllowed}
      onClick={() => allowed && onRun()}
    >
      <Icon name={icon} />
      {label}
    </button>
  )
}
