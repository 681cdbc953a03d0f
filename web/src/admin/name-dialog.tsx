import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { ApiFailure } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { refusalText } from '../platform/refusal.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { TextField } from '../ui/field.js'
import { adminWords } from '../words/admin.js'

interface NameDialogProps {
  title: string
  hint?: string
  /** What it is called so far. */
  name: string
  maxLength: number
  onClose(): void
  /** Throws where the server refuses the name. */
  onSave(name: string): Promise<unknown>
  /** What is asked besides the name. */
  children?: ComponentChildren
}

function faultOf(error: unknown): string {
  const { nameFaults } = adminWords()
  const code = error instanceof ApiFailure ? error.code : ''
  return nameFaults[code as keyof typeof nameFaults] ?? refusalText(error)
}

/** Asks for a name, and says there what is wrong with it. */
export function NameDialog({
  title,
  hint,
  name: before,
  maxLength,
  onClose,
  onSave,
  children,
}: NameDialogProps) {
  const { common } = words()
  const [name, setName] = useState(before)
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const form = useId()
  async function save() {
    setBusy(true)
    try {
      await onSave(name.trim())
      onClose()
    } catch (error) {
      setFault(faultOf(error))
    }
    setBusy(false)
  }
  const footer = (
    <Button look="main" type="submit" form={form} busy={busy} disabled={name.trim() === ''}>
      {common.save}
    </Button>
  )
  return (
    <Dialog title={title} size="small" closeLabel={common.close} onClose={onClose} footer={footer}>
      <form
        id={form}
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField
          label={adminWords().name}
          hint={hint}
          autofocus
          maxLength={maxLength}
          value={name}
          error={fault}
          onText={setName}
        />
        {children}
      </form>
    </Dialog>
  )
}
