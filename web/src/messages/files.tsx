import type { TimelineFile, TimelineMessage } from '@parley/contract'
import { showPictures } from '../media/lightbox.js'
import { Transcript } from '../media/transcript.js'
import { VoicePlayer } from '../media/voice-player.js'
import { formatLength, formatSize } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { Icon } from '../ui/icon.js'
import { extensionOf, fileName } from './file-name.js'
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

/** As measured, as the sender said, or a guess. */
function sizeOf({ width, height, measured_width, measured_height }: TimelineFile) {
  return { width: measured_width || width || 320, height: measured_height || height || 240 }
}

/** Its size is known before it loads, so that nothing moves when it comes. */
function Picture({ pictures, file }: { pictures: readonly TimelineFile[]; file: TimelineFile }) {
  const { width, height } = sizeOf(file)
  return (
    <button
      type="button"
      class={height > 3 * width ? 'picture picture-tall' : 'picture'}
      aria-label={words().media.enlarge(fileName(file.name))}
      onClick={() => showPictures(pictures, pictures.indexOf(file))}
    >
      <img
        src={file.preview_url ?? file.url}
        alt=""
        width={width}
        height={height}
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
    return (
      <>
        <VoicePlayer url={file.url} duration_ms={duration_ms ?? 0} waveform={voice?.waveform ?? ''} />
        {voice?.transcript && <Transcript text={voice.transcript} />}
      </>
    )
  if (file.file_type === 'audio')
    return (
      <div class="sound">
        {/* biome-ignore lint/a11y/useMediaCaption: people record these; there is no text of them. */}
        <audio controls preload="none" src={file.url} aria-label={fileName(file.name)} />
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
        aria-label={fileName(file.name)}
      />
    )
  const name = fileName(file.name)
  const about = [
    file.size === undefined ? '' : formatSize(file.size),
    duration_ms === null ? '' : formatLength(duration_ms),
  ]
  return (
    <a class="file" href={file.url} download={name}>
      <span class="file-kind" aria-hidden="true">
        {extensionOf(name).slice(0, 4).toUpperCase() || '—'}
      </span>
      <span class="file-name">
        <bdi class="file-title">{name}</bdi>
        <span class="quiet">{about.filter(Boolean).join(' · ')}</span>
      </span>
      <Icon name="save" label={words().messages.download} />
    </a>
  )
}
