import { copy } from '../frame/copy.js'
import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { accessWords } from '../words/access.js'
import './app-dialog.css'

/** Recovery codes, which are shown this once. */
export function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  const access = accessWords()
  const { common } = words()
  return (
    <Dialog
      title={access.codesTitle}
      closeLabel={common.close}
      onClose={onClose}
      footer={
        <>
          <Button icon="copy" onClick={() => void copy(codes.join('\n'))}>
            {access.copyCodes}
          </Button>
          <Button look="main" onClick={onClose}>
            {access.done}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>{access.codesText}</p>
        <ul class="recovery-codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}
