import type { TimelineFile, TimelineMessage } from '@parley/contract'
import { showPictures } from '../media/lightbox.js'
import { VoicePlayer } from '../media/voice-player.js'
import { formatLength, formatSize } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { Icon } from '../ui/icon.js'
import './files.css'

/** Pictures first, then everything else. */
export function Files({
  files,
  voice,
}: {
  files: readonly TimelineFile[]
  voice: TimelineMessage['voice_content']
}) {
  if (files.length === 0) return null
  const pictures = files.filter(({ file_type }) => file_type === 'image')
  const others = files.filter(({ file_type }) => file_type !== 'image')
  return (
    <>
      {pictures.length > 0 && (
        <div class={`pictures ${pictures.length > 1 ? 'pictures-many' : ''}`}>
          {pictures.map((file) => (
            <Picture key={file.id} pictures={pictures} file={file} />
          ))}
        </div>
      )}
      {others.map((file) => (
        <Attachment key={file.id} file={file} voice={voice} />
      ))}
    </>
  )
}

/** Its size is known before it loads, so that nothing moves when it comes. */
function Picture({ pictures, file }: { pictures: readonly TimelineFile[]; file: TimelineFile }) {
  return (
    <button
      type="button"
      class="picture"
      aria-label={words().media.enlarge(file.name)}
      onClick={() => showPictures(pictures, pictures.indexOf(file))}
    >
      <img
        src={file.preview_url ?? file.url}
        alt=""
        width={file.width ?? 320}
        height={file.height ?? 240}
        loading="lazy"
        decoding="async"
      />
    </button>
  )
}

interface AttachmentProps {
  file: TimelineFile
  voice: TimelineMessage['voice_content']
}

function Attachment({ file, voice }: AttachmentProps) {
  const duration_ms = file.duration_ms ?? voice?.duration_ms ?? null
  if (file.file_type === 'voice')
    return <VoicePlayer url={file.url} duration_ms={duration_ms ?? 0} waveform={voice?.waveform ?? ''} />
  if (file.file_type === 'audio')
    return (
      <div class="sound">
        {/* biome-ignore lint/a11y/useMediaCaption: people record these; there is no text of them. */}
        <audio controls preload="none" src={file.url} aria-label={file.name} />
      </div>
    )
  if (file.file_type === 'video')
    return (
      // biome-ignore lint/a11y/useMediaCaption: people record these; there is no text of them.
      <video
        class="video"
        controls
        preload="none"
        src={file.url}
        poster={file.preview_url ?? undefined}
        aria-label={file.name}
      />
    )
  const extension = file.name.includes('.') ? (file.name.split('.').at(-1) ?? '') : ''
  const about = [
    file.size === undefined ? '' : formatSize(file.size),
    duration_ms === null ? '' : formatLength(duration_ms),
  ]
  return (
    <a class="file" href={file.url} download={file.name}>
      <span class="file-kind" aria-hidden="true">
        {extension.slice(0, 4).toUpperCase() || '—'}
      </span>
      <span class="file-name">
        <span class="file-title">{file.name}</span>
        <span class="quiet">{about.filter(Boolean).join(' · ')}</span>
      </span>
      <Icon name="save" label={words().messages.download} />
    </a>
  )
}
