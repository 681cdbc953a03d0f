import { formatSize } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { ToolButton } from '../ui/button.js'
import type { Uploads } from './use-uploads.js'
import './attachments.css'

/** What is attached, how far it is uploaded, and a way to try again or leave it out. */
export function Attachments({ uploads: { uploads, retry, drop } }: { uploads: Uploads }) {
  const { composer, common } = words()
  if (uploads.length === 0) return null
  return (
    <ul class="attachments">
      {uploads.map(({ id, name, size, state, progress }) => (
        <li key={id} class={`attachment attachment-${state}`}>
          <span class="attachment-name">{name}</span>
          <span class="quiet">{state === 'failed' ? composer.uploadFailed : formatSize(size)}</span>
          {state === 'failed' && (
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
