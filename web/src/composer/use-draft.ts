import type { MessageFileInput } from '@parley/contract'
import { useEffect, useRef } from 'preact/hooks'
import { draftAt, hasUnsaved } from '../drafts/actions.js'
import { type Place, placeKey } from '../drafts/state.js'
import { state } from '../store.js'
import type { Text } from './use-text.js'
import type { Uploads } from './use-uploads.js'

interface Drafting {
  place: Place
  /** A message that was sent is being changed: the draft stays as it is. */
  isEditing: boolean
  text: Text
  uploads: Uploads
  /** Called when the draft may answer another message. */
  follow(): Promise<void>
  /** Saves the draft with the files of this moment. */
  save(): void
}

const keysOf = (files: readonly { key: string }[]) => files.map(({ key }) => key).join()

/** Keeps a composer and the draft of its place the same, on every device of the person. */
export function useDraft({
  place,
  isEditing,
  text: { text, setText, field },
  uploads,
  follow,
  save,
}: Drafting) {
  const files: MessageFileInput[] = uploads.uploads.flatMap(({ input }) => input ?? [])
  const isUploaded = uploads.uploads.every(({ state }) => state === 'done')
  const saved = useRef(keysOf(files))

  // Changed on another device; a person who is writing here is interrupted only if it was sent from there.
  const elsewhere = state.drafts.value.get(placeKey(place))
  useEffect(() => {
    const isFocused = document.hasFocus() && document.activeElement === field.current
    const writing = isFocused && text !== '' && elsewhere !== undefined
    if (isEditing || hasUnsaved(place) || writing) return
    const draft = draftAt(place)
    setText(draft.content)
    void follow()
    // A file that is still being uploaded here is in no draft yet.
    if (!isUploaded || keysOf(draft.files) === keysOf(files)) return
    saved.current = keysOf(draft.files)
    uploads.reset(draft.files)
  }, [elsewhere])

  // A file that is uploaded, or removed again, is part of the draft on every device.
  useEffect(() => {
    if (isEditing || keysOf(files) === saved.current) return
    saved.current = keysOf(files)
    save()
  }, [keysOf(files), isEditing])

  return {
    files,
    isUploaded,
    /** Shows these files, which are saved, beside those that are still on their way. */
    showFiles(files: readonly MessageFileInput[]) {
      saved.current = keysOf(files)
      uploads.refresh(files)
    },
    /** Empties the composer without saving: the message was sent. */
    clear() {
      setText('')
      saved.current = ''
      uploads.reset([])
    },
  }
}
