import type { MessageFileInput } from '@parley/contract'
import { type Signal, signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { draftAt, saveDraft } from '../drafts/actions.js'
import { type Place, placeKey } from '../drafts/state.js'
import { placeNow } from '../people/personal.js'
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
  /** How many composers show it: for a moment two, where one takes the place of another. */
  shownBy: number
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
    shownBy: 0,
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

/** By person and place: the files of each composer that is shown, and of those that were left before all were uploaded. */
const places = new Map<string, Kept>()

const keyOf = (place: Place) => `${state.session.peek()?.user.id ?? 0}/${placeKey(place)}`

/** Those that are kept of the place, or the files of the draft. A composer may be drawn and not be shown. */
function uploadsOf(place: Place): Kept {
  const { files } = draftAt(place)
  const kept = places.get(keyOf(place))
  if (!kept) return openUploads(files)
  if (kept.shownBy === 0) kept.refresh(files)
  return kept
}

/** Called when a composer shows them; gives what is called when it is left. One that takes its place is drawn before that. */
function showUploads(place: Place, kept: Kept) {
  const key = keyOf(place)
  places.set(key, kept)
  kept.shownBy += 1
  kept.onDone = null
  return () => {
    kept.shownBy -= 1
    if (kept.shownBy === 0) leaveUploads(place, key, kept)
  }
}

/** They go on; what is uploaded meanwhile becomes part of the draft, if it still is of the person who is signed in. */
function leaveUploads(place: Place, key: string, kept: Kept) {
  if (key !== keyOf(place)) kept.reset([])
  if (kept.shown.value.every(({ state }) => state === 'done')) {
    if (places.get(key) === kept) places.delete(key)
    return
  }
  kept.onDone = (input) => {
    if (key !== keyOf(place)) return
    const there = placeNow(place)
    const draft = draftAt(there)
    saveDraft(there, { ...draft, files: [...draft.files, input] })
  }
}

/** Files that go along with the message being written in a place; its draft has some already. */
export function useDraftUploads(place: Place): Uploads {
  const [kept] = useState(() => uploadsOf(place))
  useEffect(() => showUploads(place, kept), [])
  return { ...kept, uploads: kept.shown.value }
}
