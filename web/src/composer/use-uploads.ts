import { useRef, useState } from 'preact/hooks'
import { type Upload, uploadFile } from './upload.js'

export interface Uploads {
  uploads: readonly Upload[]
  add(files: Iterable<File>): void
  retry(id: number): void
  drop(id: number): void
  clear(): void
}

const AT_MOST = 10
let last = 0

/** Files that go along with the message being written. */
export function useUploads(): Uploads {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const running = useRef(new Map<number, AbortController>())

  const change = (id: number, more: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...more } : one)))

  function begin({ id, file }: Upload) {
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
      const room = AT_MOST - uploads.length
      const added = [...files].slice(0, room).map((file): Upload => {
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
    clear: () => setUploads([]),
  }
}
