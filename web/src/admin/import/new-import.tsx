import { useRef, useState } from 'preact/hooks'
import { ApiFailure, call } from '../../platform/api.js'
import { formatSize } from '../../platform/format.js'
import { refusalText } from '../../platform/refusal.js'
import { Button } from '../../ui/button.js'
import { RadioGroup } from '../../ui/choice.js'
import { TextField } from '../../ui/field.js'
import { toast } from '../../ui/toast.js'
import { importWords } from '../../words/imports.js'
import { Choices, type Chosen, requestOf } from './choices.js'
import { forgetUpload, uploadArchive } from './upload-parts.js'

type Place = 'upload' | 'server'

function faultOf(error: unknown, place: Place): string {
  const imports = importWords()
  if (!(error instanceof ApiFailure) || error.status !== 422) return refusalText(error)
  if (error.faultAt('public_key')) return imports.wrongKey
  if (error.code !== 'not_found') return imports.wrongTime
  if (place === 'server') return imports.notThere
  forgetUpload()
  return imports.erased
}

/** Uploads an archive in parts; tells which share is uploaded, and can be stopped. */
function useUpload(onFault: (text: string) => void) {
  const [share, setShare] = useState<number | null>(null)
  const running = useRef<AbortController | null>(null)
  async function upload(archive: File): Promise<string[] | null> {
    const abort = new AbortController()
    running.current = abort
    setShare(0)
    try {
      return await uploadArchive(archive, setShare, abort.signal)
    } catch (failure) {
      const text = failure instanceof ApiFailure ? refusalText(failure) : importWords().cut
      if (!abort.signal.aborted) onFault(text)
      return null
    } finally {
      setShare(null)
    }
  }
  return { share, upload, stop: () => running.current?.abort() }
}

/** Orders the check of an archive, which lies on the device or on the server. */
export function NewImport({ onOrdered }: { onOrdered(id: number): void }) {
  const imports = importWords()
  const [place, setPlace] = useState<Place>('upload')
  const [file, setFile] = useState<File | null>(null)
  const [path, setPath] = useState('')
  const [chosen, setChosen] = useState<Chosen>({ options: {}, workspace: '', public_key: '' })
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const { share, upload, stop } = useUpload(setError)

  async function order() {
    const missing = place === 'upload' ? !file && imports.noArchive : !path.trim() && imports.noPath
    setError(missing || undefined)
    if (missing) return
    setBusy(true)
    try {
      const file_keys = place === 'upload' ? await upload(file as File) : null
      const archive = file_keys ? { file_keys } : { path: path.trim() }
      if (place === 'server' || file_keys) {
        const body = { import: { kind: 'check' as const, ...archive, ...requestOf(chosen) } }
        const { data } = await call('orderImport', { body })
        toast(imports.ordered)
        onOrdered(data.id)
      }
    } catch (failure) {
      setError(faultOf(failure, place))
    }
    setBusy(false)
  }

  return (
    <section class="admin-form">
      <h2>{imports.title}</h2>
      <p class="quiet">{imports.text}</p>
      <PlaceChooser place={place} onChoose={setPlace} />
      {place === 'upload' ? (
        <FileChooser file={file} onChoose={setFile} />
      ) : (
        <TextField label={imports.path} value={path} placeholder="export.zip" onText={setPath} />
      )}
      <Choices chosen={chosen} onChange={setChosen} />
      {error && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
      <div class="import-buttons">
        <Button look="main" busy={busy} onClick={() => void order()}>
          {imports.check}
        </Button>
        {share !== null && <Button onClick={stop}>{imports.stop}</Button>}
      </div>
      {share !== null && (
        <progress class="import-progress" max={1} value={share} aria-label={imports.uploading} />
      )}
    </section>
  )
}

function PlaceChooser({ place, onChoose }: { place: Place; onChoose(place: Place): void }) {
  const imports = importWords()
  return (
    <RadioGroup<Place>
      label={imports.from}
      value={place}
      options={[
        { value: 'upload', label: imports.upload, hint: imports.uploadHint },
        { value: 'server', label: imports.server, hint: imports.serverHint },
      ]}
      onChoose={onChoose}
    />
  )
}

function FileChooser({ file, onChoose }: { file: File | null; onChoose(file: File | null): void }) {
  const imports = importWords()
  const input = useRef<HTMLInputElement>(null)
  return (
    <div class="import-head">
      <Button icon="attach" onClick={() => input.current?.click()}>
        {imports.choose}
      </Button>
      <span role="status">{file && `${file.name} (${formatSize(file.size)})`}</span>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={imports.choose}
        onChange={({ currentTarget }) => onChoose(currentTarget.files?.[0] ?? null)}
      />
    </div>
  )
}
