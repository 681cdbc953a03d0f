import { useState } from 'preact/hooks'
import { Button } from '../src/ui/button.js'
import { confirm } from '../src/ui/confirm.js'
import { Dialog } from '../src/ui/dialog.js'
import { toast } from '../src/ui/toast.js'
import { Shelf } from './shelf.js'

/** Parts that come and go. */
export function Telling() {
  const [size, setSize] = useState<'small' | 'medium' | 'large' | null>(null)
  const ask = () =>
    confirm({
      title: 'Delete this message?',
      text: 'It will be deleted for everyone.',
      action: 'Delete',
      cancel: 'Cancel',
      danger: true,
    })
  return (
    <Shelf title="Dialogs, questions and toasts">
      {(['small', 'medium', 'large'] as const).map((one) => (
        <Button key={one} onClick={() => setSize(one)}>
          {one} dialog
        </Button>
      ))}
      <Button onClick={() => void ask()}>Question</Button>
      <Button onClick={() => toast('Copied')}>Toast</Button>
      <Button
        onClick={() =>
          toast('Not saved', { look: 'bad', action: { label: 'Try again', run: () => toast('Saved') } })
        }
      >
        Toast with an action
      </Button>
      {size && (
        <Dialog
          title="A dialog"
          closeLabel="Close"
          size={size}
          onClose={() => setSize(null)}
          footer={<Button look="main">Save</Button>}
        >
          <p>Escape and a click outside close it.</p>
        </Dialog>
      )}
    </Shelf>
  )
}
