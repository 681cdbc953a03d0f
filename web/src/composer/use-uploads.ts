import type { MessageFileInput } from '@parley/contract'
import { useRef, useState } from 'preact/hooks'
import { words } from '../platform/i18n.js'
import { toast } from '../ui/toast.js'
import { type Upload, uploadFile } from './upload.js'

export interface Uploads {
  uploads: readonly Upload[]
  add(files: Iterable<File>): void
  retry(id: number): void
  drop(id: number): void
  /** Shows these, which are uploaded already, and nothing else. */
  reset(files: readonly MessageFileInput[]): void
}

const AT_MOST = 10
let last = 0

function uploaded(input: MessageFileInput): Upload {
  last += 1
  const { name, size } = input
  return { id: last, name, size, progress: 1, state: 'done', file: null, input }
}

/** Files that go along with the message being written; a draft has some already. */
export function useUploads(kept: readonly MessageFileInput[] = []): Uploads {
  const [uploads, setUploads] = useState<readonly Upload[]>(() => kept.map(uploaded))
  const running = useRef(new Map<number, AbortController>())

  const change = (id: number, more: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...more } : one)))

  function begin({ id, file }: Upload) {
    if (!file) return
    const abort = new AbortController()
    running.current.set(id, abort)
    change(id, { state: 'uploading', progress: 0 })
    uploadFile(file, (progress) => change(id, { progress }), abort.signal).then(
      (input) => change(id, { state: 'done', progress: 1, input }),
      () => change(id, { state: 'failed' }),
    )
  }

  return {
    uploads,
    add(files) {
      const given = [...files]
      const room = AT_MOST - uploads.length
      if (given.length > room) toast(words().composer.filesAtMost(AT_MOST), { look: 'bad' })
      const added = given.slice(0, room).map((file): Upload => {
        last += 1
        return {
          id: last,
          name: file.name,
          size: file.size,
          progress: 0,
          state: 'uploading',
          file,
          input: null,
        }
      })
      setUploads((all) => [...all, ...added])
      for (const upload of added) begin(upload)
    },
    retry(id) {
      const upload = uploads.find((one) => one.id === id)
      if (upload) begin(upload)
    },
    drop(id) {
      running.current.get(id)?.abort()
      setUploads((all) => all.filter((one) => one.id !== id))
    },
    reset(files) {
      for (const abort of running.current.values()) abort.abort()
      running.current.clear()
      setUploads(files.map(uploaded))
    },
  }
}
