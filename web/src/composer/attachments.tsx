import { useEffect, useMemo, useState } from 'preact/hooks'
import { formatSize } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { isQuotaFull } from '../platform/refusal.js'
import { ToolButton } from '../ui/button.js'
import { isPicture, TooLarge } from './upload.js'
import type { Uploads } from './use-uploads.js'
import './attachments.css'

/** What is attached, how far it is uploaded, and a way to try again or leave it out. */
export function Attachments({ uploads: { uploads, retry, drop } }: { uploads: Uploads }) {
  const { composer, common } = words()
  if (uploads.length === 0) return null
  return (
    <ul class="attachments">
      {uploads.map(({ id, name, size, state, failure, progress, file }) => (
        <li key={id} class={`attachment attachment-${state}`}>
          {file && isPicture(file) && <Thumbnail file={file} />}
          <span class="attachment-name">{name}</span>
          <span class="quiet">{state === 'failed' ? textOf(failure) : formatSize(size)}</span>
          {state === 'failed' && !isFinal(failure) && (
            <ToolButton icon="retry" size="sm" label={common.retry} onClick={() => retry(id)} />
          )}
          <ToolButton icon="close" size="sm" label={composer.detach(name)} onClick={() => drop(id)} />
          {state === 'uploading' && (
            <progress
              class="attachment-progress"
              max={1}
              value={progress}
              aria-label={composer.uploading(name)}
            />
          )}
        </li>
      ))}
    </ul>
  )
}

/** Whether the same file is refused again. */
const isFinal = (failure: unknown) => failure instanceof TooLarge || isQuotaFull(failure)

function textOf(failure: unknown): string {
  const { composer } = words()
  if (failure instanceof TooLarge) return composer.tooLarge(formatSize(failure.max_bytes))
  return isQuotaFull(failure) ? composer.quotaFull : composer.uploadFailed
}

/** What was chosen, so that one picture is not taken for another: those from the clipboard have the same name. */
function Thumbnail({ file }: { file: File }) {
  const url = useMemo(() => URL.createObjectURL(file), [file])
  const [failed, setFailed] = useState(false)
  useEffect(() => () => URL.revokeObjectURL(url), [url])
  if (failed) return null
  return <img class="attachment-picture" src={url} alt="" onError={() => setFailed(true)} />
}
