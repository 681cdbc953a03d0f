import type { MessageFileInput } from '@parley/contract'
import { type Signal, signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { draftAt, saveDraft } from '../drafts/actions.js'
import { type Place, placeKey } from '../drafts/state.js'
import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { toast } from '../ui/toast.js'
import { heldOpen } from './running-uploads.js'
import { type Upload, uploadFile } from './upload.js'

export interface Uploads {
  uploads: readonly Upload[]
  add(files: Iterable<File>): void
  retry(id: number): void
  drop(id: number): void
  /** Shows these, which are uploaded already, and nothing else. */
  reset(files: readonly MessageFileInput[]): void
  /** The same beside what is still on its way. */
  refresh(files: readonly MessageFileInput[]): void
}

/** The same apart from the screen that shows it. */
interface Kept extends Omit<Uploads, 'uploads'> {
  shown: Signal<readonly Upload[]>
  /** Hears of each file that is uploaded while no screen shows it. */
  onDone: ((input: MessageFileInput) => void) | null
}

const AT_MOST = 10
let last = 0

function uploaded(input: MessageFileInput): Upload {
  last += 1
  const { name, size } = input
  return { id: last, name, size, progress: 1, state: 'done', failure: null, file: null, input }
}

function chosen(file: File): Upload {
  last += 1
  const { name, size } = file
  return { id: last, name, size, progress: 0, state: 'uploading', failure: null, file, input: null }
}

function openUploads(files: readonly MessageFileInput[]): Kept {
  const shown = signal<readonly Upload[]>(files.map(uploaded))
  const running = new Map<number, AbortController>()

  function change(id: number, more: Partial<Upload>) {
    shown.value = shown.value.map((one) => (one.id === id ? { ...one, ...more } : one))
  }

  function begin({ id, file }: Upload) {
    if (!file) return
    const abort = new AbortController()
    running.set(id, abort)
    change(id, { state: 'uploading', progress: 0, failure: null })
    heldOpen(uploadFile(file, (progress) => change(id, { progress }), abort.signal)).then(
      (input) => {
        change(id, { state: 'done', progress: 1, input })
        if (!abort.signal.aborted) kept.onDone?.(input)
      },
      (failure) => change(id, { state: 'failed', failure }),
    )
  }

  const kept: Kept = {
    shown,
    onDone: null,
    add(given) {
      const files = [...given]
      const room = AT_MOST - shown.value.length
      if (files.length > room) toast(words().composer.filesAtMost(AT_MOST), { look: 'bad' })
      const added = files.slice(0, room).map(chosen)
      shown.value = [...shown.value, ...added]
      for (const upload of added) begin(upload)
    },
    retry(id) {
      const upload = shown.value.find((one) => one.id === id)
      if (upload) begin(upload)
    },
    drop(id) {
      running.get(id)?.abort()
      shown.value = shown.value.filter((one) => one.id !== id)
    },
    reset(files) {
      for (const abort of running.values()) abort.abort()
      running.clear()
      shown.value = files.map(uploaded)
    },
    refresh(files) {
      const unfinished = shown.peek().filter(({ state }) => state !== 'done')
      shown.value = [...files.map(uploaded), ...unfinished]
    },
  }
  return kept
}

/** Files that are uploaded for a form. */
export function useUploads(): Uploads {
  const [kept] = useState(() => openUploads([]))
  return { ...kept, uploads: kept.shown.value }
}

/** By person and place: files that were not uploaded yet when their screen was left. */
const left = new Map<string, Kept>()

const leftKey = (place: Place) => `${state.session.peek()?.user.id ?? 0}/${placeKey(place)}`

/** Those that were left here, or the files of the draft. A screen may be drawn and not be shown. */
function uploadsOf(place: Place): Kept {
  const { files } = draftAt(place)
  const kept = left.get(leftKey(place))
  if (!kept) return openUploads(files)
  kept.refresh(files)
  return kept
}

/** They go on; what is uploaded meanwhile becomes part of the draft, if it still is of the person who is signed in. */
function leaveUploads(place: Place, kept: Kept) {
  if (kept.shown.value.every(({ state }) => state === 'done')) return
  if (!state.session.peek()) return kept.reset([])
  const key = leftKey(place)
  left.set(key, kept)
  kept.onDone = (input) => {
    if (key !== leftKey(place)) return
    const draft = draftAt(place)
    saveDraft(place, { ...draft, files: [...draft.files, input] })
  }
}

/** Files that go along with the message being written in a place; its draft has some already. */
export function useDraftUploads(place: Place): Uploads {
  const [kept] = useState(() => uploadsOf(place))
  useEffect(() => {
    left.delete(leftKey(place))
    kept.onDone = null
    return () => leaveUploads(place, kept)
  }, [])
  return { ...kept, uploads: kept.shown.value }
}
