import type { ViewBlockFileInput } from '@parley/contract'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Attachments } from '../composer/attachments.js'
import { useUploads } from '../composer/use-uploads.js'
import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { Field } from '../ui/field.js'
import type { FormState } from './use-form.js'

interface FileFieldProps {
  field: ViewBlockFileInput
  form: FormState
  label: string
  hint: string | undefined
  error: string | undefined
}

const FILES_AT_MOST = 10

/** Files that go along with a form; they are uploaded while the rest is filled in. */
export function FileField({ field, form, label, hint, error }: FileFieldProps) {
  const { forms } = words()
  const input = useRef<HTMLInputElement>(null)
  const uploads = useUploads()
  const { max_files = FILES_AT_MOST, filetypes } = field
  const room = max_files - uploads.uploads.length
  const limits = [forms.filesAtMost(max_files), filetypes && forms.fileTypes(filetypes.join(', '))]
  const about = [hint, limits.filter(Boolean).join('. ')].filter(Boolean).join(' ')

  // Before the next click: a form that is sent at once takes them along.
  useLayoutEffect(() => {
    const done = uploads.uploads.flatMap(({ input }) => (input ? [{ key: input.key, name: input.name }] : []))
    if (done.length > 0 || (form.answers[field.name]?.length ?? 0) > 0) form.put(field.name, done)
    form.setUploading(
      field.name,
      uploads.uploads.some(({ state }) => state === 'uploading'),
    )
  }, [uploads.uploads])

  return (
    <Field label={label} hint={about} error={error}>
      {({ id, required: _, ...wiring }) => (
        <div class="form-files">
          <Attachments uploads={uploads} />
          <Button
            {...wiring}
            id={id}
            icon="attach"
            disabled={room <= 0}
            aria-label={`${label}: ${forms.addFile}`}
            onClick={() => input.current?.click()}
          >
            {forms.addFile}
          </Button>
          <input
            ref={input}
            type="file"
            hidden
            multiple={max_files > 1}
            aria-label={label}
            accept={filetypes?.map((type) => `.${type.replace(/^\./, '')}`).join(',')}
            onChange={({ currentTarget }) => {
              uploads.add([...(currentTarget.files ?? [])].slice(0, room))
              currentTarget.value = ''
            }}
          />
        </div>
      )}
    </Field>
  )
}
