import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { adminWords } from '../words/admin.js'

interface NamedActionsProps {
  name: string
  onRename(): void
  onDelete(): void
}

/** The buttons at the end of a row that has a name. */
export function NamedActions({ name, onRename, onDelete }: NamedActionsProps) {
  const admin = adminWords()
  return (
    <span class="admin-line">
      <Button look="quiet" aria-label={admin.renameOf(name)} onClick={onRename}>
        {admin.rename}
      </Button>
      <Button look="quiet" aria-label={admin.deleteOf(name)} onClick={onDelete}>
        {words().common.delete}
      </Button>
    </span>
  )
}
