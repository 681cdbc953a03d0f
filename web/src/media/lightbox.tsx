import type { TimelineFile } from '@parley/contract'
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { fileName } from '../messages/file-name.js'
import { words } from '../platform/i18n.js'
import { ToolButton } from '../ui/button.js'
import { Icon } from '../ui/icon.js'
import { useModal } from '../ui/modal.js'
import './lightbox.css'

const shown = signal<{ files: readonly TimelineFile[]; index: number } | null>(null)

/** Opens a picture over everything, with its neighbours to go to. */
export function showPictures(files: readonly TimelineFile[], index: number) {
  shown.value = { files, index }
}

/** Shows the opened picture; once in the page. */
export function LightboxHost() {
  return shown.value ? <Lightbox {...shown.value} /> : null
}

const ZOOMS = [1, 1.5, 2, 3]

interface HeadProps {
  file: TimelineFile
  zoom: number
  onScale(step: number): void
  onClose(): void
  children: ComponentChildren
}

function Head({ file, zoom, onScale, onClose, children }: HeadProps) {
  const { media, common, messages } = words()
  const name = fileName(file.name)
  const isLargest = zoom === ZOOMS.length - 1
  const save = messages.download
  return (
    <header class="lightbox-head">
      <bdi class="lightbox-name">{name}</bdi>
      {children}
      <ToolButton icon="minus" label={media.smaller} disabled={zoom === 0} onClick={() => onScale(-1)} />
      <ToolButton icon="plus" label={media.larger} disabled={isLargest} onClick={() => onScale(1)} />
      <a class="tool" href={file.url} download={name} aria-label={save} data-tip={save}>
        <Icon name="save" />
      </a>
      <ToolButton icon="close" label={common.close} onClick={onClose} />
    </header>
  )
}

function Shown({ file, name }: { file: TimelineFile; name: string }) {
  const [failed, setFailed] = useState(false)
  if (failed) return <p>{words().media.cannotShow}</p>
  return <img src={file.url} alt={name} onError={() => setFailed(true)} />
}

function Lightbox({ files, index }: { files: readonly TimelineFile[]; index: number }) {
  const box = useRef<HTMLDialogElement>(null)
  const [zoom, setZoom] = useState(0)
  const { media } = words()
  const file = files[index]
  const close = () => {
    shown.value = null
  }
  const go = (step: number) => {
    const next = index + step
    if (next < 0 || next >= files.length) return
    setZoom(0)
    showPictures(files, next)
  }
  const scale = (step: number) => setZoom((now) => Math.min(ZOOMS.length - 1, Math.max(0, now + step)))
  useModal(box, close)
  if (!file) return null
  const name = fileName(file.name)

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'ArrowLeft') go(-1)
    else if (event.key === 'ArrowRight') go(1)
    else if (event.key === '+' || event.key === '=') scale(1)
    else if (event.key === '-') scale(-1)
    else if (event.key === '0') setZoom(0)
    else return
    event.preventDefault()
  }

  return (
    <dialog
      ref={box}
      class="lightbox"
      aria-label={name}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
    >
      <Head file={file} zoom={zoom} onScale={scale} onClose={close}>
        {files.length > 1 && <span>{media.count(index + 1, files.length)}</span>}
      </Head>
      <div class="lightbox-stage" style={{ '--zoom': ZOOMS[zoom] }}>
        <Shown key={file.id} file={file} name={name} />
      </div>
      {index > 0 && (
        <ToolButton
          icon="left"
          class="lightbox-side lightbox-left"
          label={media.previous}
          onClick={() => go(-1)}
        />
      )}
      {index < files.length - 1 && (
        <ToolButton
          icon="right"
          class="lightbox-side lightbox-right"
          label={media.next}
          onClick={() => go(1)}
        />
      )}
    </dialog>
  )
}
