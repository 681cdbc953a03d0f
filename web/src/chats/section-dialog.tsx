import { useState } from 'preact/hooks'
import { newKey } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { savePreferences } from '../settings/actions.js'
import { state } from '../store.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { TextField } from '../ui/field.js'
import { naming } from './section-host.js'
import { addSection, putChat, renameSection } from './sections.js'

const LENGTH_AT_MOST = 60

/** Names a section. */
export function SectionDialog({ asked }: { asked: NonNullable<typeof naming.value> }) {
  const { sections: say, common } = words()
  const { sections } = state.preferences.value
  const known = 'section_id' in asked ? sections.find(({ id }) => id === asked.section_id) : undefined
  const [name, setName] = useState(known?.name ?? '')
  const close = () => {
    naming.value = null
  }
  function save(event: Event) {
    event.preventDefault()
    const wanted = name.trim()
    if (wanted === '') return
    close()
    if ('section_id' in asked)
      return void savePreferences({ sections: renameSection(sections, asked.section_id, wanted) })
    const id = newKey()
    const added = addSection(sections, id, wanted)
    void savePreferences({
      sections: asked.chat_id === null ? added : putChat(added, asked.chat_id, id),
    })
  }
  const form = 'section-form'
  return (
    <Dialog
      title={known ? say.rename : say.add}
      closeLabel={common.cancel}
      size="small"
      onClose={close}
      footer={
        <>
          <Button onClick={close}>{common.cancel}</Button>
          <Button look="main" type="submit" form={form} disabled={name.trim() === ''}>
            {common.save}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={save}>
        <TextField label={say.name} value={name} maxLength={LENGTH_AT_MOST} autofocus onText={setName} />
      </form>
    </Dialog>
  )
}
