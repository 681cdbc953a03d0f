import type { View } from '@parley/contract'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { personAt } from '../people/names.js'
import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { confirm } from '../ui/confirm.js'
import { Dialog } from '../ui/dialog.js'
import { Icon } from '../ui/icon.js'
import { BlockView } from './block-view.js'
import { useForm } from './use-form.js'
import './form-dialog.css'

export function FormDialog({ view }: { view: View }) {
  const form = useForm(view)
  const box = useRef<HTMLFormElement>(null)
  const { forms, common } = words()
  const { errors, busy, over } = form

  // The first field that is wrong is where the person goes on.
  useLayoutEffect(() => {
    if (errors) box.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])

  async function leave() {
    const question = {
      title: forms.discardTitle,
      text: forms.discardText,
      action: forms.discard,
      cancel: common.back,
      danger: true,
    }
    if (over || !form.changed || (await confirm(question))) form.close()
  }

  const id = `form-${view.id}`
  const footer = (
    <>
      <Button onClick={() => void leave()}>{view.close_text}</Button>
      {!over && (
        <Button look="main" type="submit" form={id} busy={busy}>
          {view.submit_text}
        </Button>
      )}
    </>
  )
  return (
    <Dialog title={view.title} closeLabel={common.close} footer={footer} onClose={() => void leave()}>
      <form
        ref={box}
        id={id}
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void form.submit()
        }}
      >
        <p class="form-from">{forms.from(personAt(view.bot_id).name)}</p>
        <Whole texts={errors?.whole ?? []} />
        {view.blocks.map((block, index) => (
          <BlockView key={index} block={block} form={form} />
        ))}
      </form>
    </Dialog>
  )
}

/** What is wrong with the form as a whole. */
function Whole({ texts }: { texts: readonly string[] }) {
  return (
    <div role="alert">
      {texts.map((text) => (
        <p key={text} class="form-error">
          <Icon name="warn" size="sm" />
          <span>{text}</span>
        </p>
      ))}
    </div>
  )
}
