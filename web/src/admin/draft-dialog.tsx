import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import type { Faults } from './find-faults.js'

/** What the fields of a dialog show and change. */
export interface DraftFieldsProps<D> {
  draft: D
  faults: Faults
  onChange(change: Partial<D>): void
}

/** A draft that is kept once the server finds no fault in it. */
export function useDraft<D>(begin: () => D, save: (draft: D) => Promise<Faults | null>, onSaved: () => void) {
  const [draft, setDraft] = useState(begin)
  const [faults, setFaults] = useState<Faults>({})
  const [busy, setBusy] = useState(false)
  const fields: DraftFieldsProps<D> = {
    draft,
    faults,
    onChange: (change) => setDraft({ ...draft, ...change }),
  }
  async function onSave() {
    setBusy(true)
    const found = await save(draft)
    setBusy(false)
    if (found) setFaults(found)
    else onSaved()
  }
  return { draft, fields, setFaults, saving: { busy, onSave } }
}

interface DraftDialogProps {
  title: string
  saving: { busy: boolean; onSave(): Promise<void> }
  /** Whether it cannot be saved as it is. */
  incomplete: boolean
  onClose(): void
  children: ComponentChildren
}

export function DraftDialog({ title, saving, incomplete, onClose, children }: DraftDialogProps) {
  const { common } = words()
  const footer = (
    <Button look="main" busy={saving.busy} disabled={incomplete} onClick={() => void saving.onSave()}>
      {common.save}
    </Button>
  )
  return (
    <Dialog title={title} size="large" closeLabel={common.close} onClose={onClose} footer={footer}>
      <div class="stack">{children}</div>
    </Dialog>
  )
}
