import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { Secret } from '../ui/secret.js'
import { accessWords } from '../words/access.js'

/** A value that is shown this once. */
export function SecretDialog({ label, value, onClose }: { label: string; value: string; onClose(): void }) {
  const { common } = words()
  const access = accessWords()
  return (
    <Dialog
      title={access.secretTitle}
      closeLabel={common.close}
      onClose={onClose}
      footer={
        <Button look="main" onClick={onClose}>
          {access.done}
        </Button>
      }
    >
      <div class="stack">
        <p>{access.secretText}</p>
        <Secret label={label} value={value} copyLabel={common.copy} copiedText={common.copied} />
      </div>
    </Dialog>
  )
}
