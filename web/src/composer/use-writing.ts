import type { DraftScheduleInput } from '@parley/contract'
import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { draftAt, saveDraft } from '../drafts/actions.js'
import type { Written } from '../drafts/device.js'
import { type Place, placeKey } from '../drafts/state.js'
import { planMessage } from '../later/actions.js'
import { sendMessage } from '../messages/actions.js'
import { saveEdit } from '../messages/edits.js'
import { dropEdit, editedText, keepEdit } from '../messages/kept-edits.js'
import { editing, returned } from '../messages/quoting.js'
import { words } from '../platform/i18n.js'
import { isComposing, keysOf } from '../platform/keys.js'
import { state } from '../store.js'
import { toast } from '../ui/toast.js'
import { MARK_KEYS } from './marks.js'
import { noteTyping } from './typing-line.js'
import { useCandidates } from './use-candidates.js'
import { useDraft } from './use-draft.js'
import { useQuoted } from './use-quoted.js'
import { useText } from './use-text.js'
import { useTypingAnywhere } from './use-typing-anywhere.js'
import { useDraftUploads } from './use-uploads.js'

const isTouch = () => matchMedia('(pointer: coarse)').matches

/** Fields that the person wrote in. */
const writtenIn = new WeakSet<Element>()

/**
 * A composer that is opened is about to be used; on touch screens the keyboard would cover half of the chat. Not a frame
 * later: by then the person may have gone to another field. Nor where they write in one: a thread may open late.
 */
function useFocus(field: RefObject<HTMLTextAreaElement | null>) {
  useLayoutEffect(() => {
    if (isTouch() || document.querySelector('dialog[open]')) return
    if (document.activeElement && writtenIn.has(document.activeElement)) return
    field.current?.focus({ preventScroll: true })
  }, [])
}

/** What is being written in a place: its text, its files, what it answers or changes. */
function useContent(place: Place, chat_id: number | null) {
  const edited = editing.value?.chat_id === chat_id ? editing.value : null
  const text = useText(
    () => draftAt(place).content,
    (content) => save({ content }),
  )
  const uploads = useDraftUploads(place)
  const { quoted, setQuoted, follow } = useQuoted(place, chat_id, (chosen) => {
    text.field.current?.focus()
    save({ parent_message_id: chosen.id })
  })
  const draft = useDraft({ place, isEditing: edited !== null, text, uploads, follow, save: () => save({}) })

  useLayoutEffect(() => {
    if (!edited) return
    text.setText(editedText(edited))
    text.field.current?.focus()
  }, [edited])

  const back = returned.value
  useLayoutEffect(() => {
    if (back !== placeKey(place)) return
    returned.value = null
    const { content, files } = draftAt(place)
    uploads.refresh(files)
    void follow()
    if (!edited) text.setText(content)
    text.field.current?.focus()
  }, [back])

  function save(change: Partial<Written>) {
    if (edited) return keepEdit(edited, change.content ?? text.text)
    const parent_message_id = quoted?.id ?? null
    saveDraft(place, { content: text.text, files: draft.files, parent_message_id, ...change })
  }

  function stopEditing() {
    editing.value = null
    text.setText(draftAt(place).content)
  }

  return {
    text,
    uploads,
    quoted,
    edited,
    stopEditing,
    ready: edited
      ? text.text.trim() !== '' || edited.files.length > 0
      : (text.text.trim() !== '' || draft.files.length > 0) && draft.isUploaded,
    message: {
      content: text.text.trim(),
      ...(draft.files.length > 0 ? { files: draft.files } : {}),
      ...(quoted ? { parent_message_id: quoted.id } : {}),
    },
    written: { content: text.text, files: draft.files, parent_message_id: quoted?.id ?? null },
    clear() {
      draft.clear()
      setQuoted(null)
    },
    /** What is left once the rest was scheduled. */
    show(rest: Written) {
      draft.showFiles(rest.files)
      if (editing.peek()?.chat_id !== chat_id) text.setText(rest.content)
      if (rest.parent_message_id === null) setQuoted(null)
    },
    /** Answers nothing, and changes nothing, any more. */
    leave() {
      if (edited) {
        dropEdit(edited.id)
        return stopEditing()
      }
      setQuoted(null)
      save({ parent_message_id: null })
    },
  }
}

/** A composer: what is being written in a place, how it is sent, and its keys. */
export function useWriting(place: Place, chat_id: number | null) {
  const content = useContent(place, chat_id)
  const { text, uploads, quoted, edited, stopEditing, ready, message, written, clear, leave } = content
  const mentions = useCandidates(text, chat_id)
  useFocus(text.field)
  useTypingAnywhere(text.field)

  const plan = (schedule: DraftScheduleInput) => planMessage(place, message, written, schedule, content.show)

  async function send() {
    if (!ready) return
    // The button that was pressed cannot be pressed again, and would lose the focus.
    text.field.current?.focus()
    if (edited) {
      stopEditing()
      return saveEdit(edited, text.text)
    }
    clear()
    await sendMessage(place, message)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (isComposing(event)) return
    if (mentions.onKeyDown(event)) return
    const mark = MARK_KEYS[keysOf(event)]
    if (mark) {
      event.preventDefault()
      text.mark(mark)
    } else if (event.key === 'Escape' && (quoted || edited)) {
      leave()
    } else if (event.key === 'ArrowUp' && text.text === '' && !edited) {
      if (editLast(chat_id)) event.preventDefault()
    } else if (event.key === 'Enter') {
      if (sends(event)) {
        event.preventDefault()
        void send()
      } else if (text.breakInList()) event.preventDefault()
    }
  }

  function attach(files: Iterable<File>) {
    if (edited) toast(words().composer.noFilesWhileEditing, { look: 'bad' })
    else uploads.add(files)
    if (!isTouch()) text.field.current?.focus()
  }

  function onInput({ currentTarget }: { currentTarget: HTMLTextAreaElement }) {
    writtenIn.add(currentTarget)
    text.typed(currentTarget)
    if (chat_id !== null) noteTyping(chat_id)
  }

  return {
    text: text.text,
    field: text.field,
    uploads,
    attach,
    quoted,
    edited,
    ready,
    mentions,
    insert: text.insert,
    mark: text.mark,
    send,
    plan,
    leave,
    onInput,
    onKeyDown,
    setCaret: text.setCaret,
  }
}

/** Opens the newest message of this person that is shown, which is the one most often corrected; false where there is none. */
function editLast(chatId: number | null): boolean {
  const me = state.session.value?.user.id
  const shown = chatId === null ? [] : (state.messages.value.get(chatId)?.messages ?? [])
  const last = shown.findLast(({ user_id, deleted_at, system }) => user_id === me && !deleted_at && !system)
  if (last) editing.value = last
  return last !== undefined
}

/** Enter sends, or breaks the line where the person wants it so and on touch screens. */
function sends(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey) return true
  if (event.shiftKey || isTouch()) return false
  return state.preferences.value.enter_sends
}

export type Writing = ReturnType<typeof useWriting>
