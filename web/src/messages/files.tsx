import type { TimelineFile, TimelineMessage } from '@parley/contract'
import { useEffect, useState } from 'preact/hooks'
import { showPictures } from '../media/lightbox.js'
import { Transcript } from '../media/transcript.js'
import { VoicePlayer } from '../media/voice-player.js'
import { formatLength, formatSize } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { connection } from '../platform/live.js'
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

/** Whether the browser could not show something, as a format it does not know; tried again with a new connection. */
function useFailed() {
  const [failed, setFailed] = useState(false)
  const isOnline = connection.value === 'online'
  useEffect(() => {
    if (isOnline) setFailed(false)
  }, [isOnline])
  return { failed, onError: () => setFailed(true) }
}

/** Its size is known before it loads, so that nothing moves when it comes. */
function Picture({ pictures, file }: { pictures: readonly TimelineFile[]; file: TimelineFile }) {
  const { width, height } = sizeOf(file)
  const { failed, onError } = useFailed()
  if (failed) return <FileCard file={file} />
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
        onError={onError}
      />
    </button>
  )
}

interface AttachmentProps {
  file: TimelineFile
  voice: TimelineMessage['voice_content']
}

function Attachment({ file, voice }: AttachmentProps) {
  const { failed, onError } = useFailed()
  if (file.file_type === 'voice')
    return (
      <>
        <VoicePlayer
          url={file.url}
          duration_ms={file.duration_ms ?? voice?.duration_ms ?? 0}
          waveform={voice?.waveform ?? ''}
        />
        {voice?.transcript && <Transcript text={voice.transcript} />}
      </>
    )
  if (file.file_type === 'audio' && !failed)
    return (
      <div class="sound">
        {/* biome-ignore lint/a11y/useMediaCaption: people record these; there is no text of them. */}
        <audio controls preload="none" src={file.url} aria-label={fileName(file.name)} onError={onError} />
      </div>
    )
  if (file.file_type === 'video' && !failed)
    return (
      // biome-ignore lint/a11y/useMediaCaption: people record these; there is no text of them.
      <video
        class="video"
        controls
        preload="none"
        src={file.url}
        poster={file.preview_url ?? undefined}
        aria-label={fileName(file.name)}
        onError={onError}
      />
    )
  return <FileCard file={file} />
}

/** A file to download. */
function FileCard({ file }: { file: TimelineFile }) {
  const { size, duration_ms } = file
  const name = fileName(file.name)
  const about = [
    size === undefined ? '' : formatSize(size),
    typeof duration_ms === 'number' ? formatLength(duration_ms) : '',
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
