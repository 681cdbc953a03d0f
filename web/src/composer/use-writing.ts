import type { DraftScheduleInput } from '@parley/contract'
import { useEffect, useRef, useState } from 'preact/hooks'
import { draftAt, hasUnsaved, saveDraft } from '../drafts/actions.js'
import type { Written } from '../drafts/device.js'
import { type Place, placeKey } from '../drafts/state.js'
import { planMessage } from '../later/actions.js'
import { sendMessage } from '../messages/actions.js'
import { editing } from '../messages/quoting.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { isComposing } from '../platform/keys.js'
import { state } from '../store.js'
import { useOptions } from '../ui/options.js'
import { toast } from '../ui/toast.js'
import { applyMark, commandAt, type Mark, mentionAt } from './marks.js'
import { noteTyping } from './typing-line.js'
import { insertedText, useCommands, useMentions } from './use-mentions.js'
import { useQuoted } from './use-quoted.js'
import { useUploads } from './use-uploads.js'

/** What is being written in a place: its text, its files, what it answers or changes, and how it is sent. */
export function useWriting(place: Place, chat_id: number | null) {
  const [text, setText] = useState(() => draftAt(place).content)
  const [caret, setCaret] = useState(0)
  const field = useRef<HTMLTextAreaElement>(null)
  const uploads = useUploads(draftAt(place).files)
  const { quoted, setQuoted, follow } = useQuoted(place, chat_id, (chosen) => {
    field.current?.focus()
    if (!edited) save({ parent_message_id: chosen.id })
  })
  const edited = editing.value?.chat_id === chat_id ? editing.value : null

  const mention = mentionAt(text, caret)
  const command = commandAt(text, caret)
  const named = useMentions(mention?.query ?? null, chat_id)
  const commands = useCommands(command?.query ?? null, chat_id)
  const found = command ? commands : named
  const options = useOptions(found.length, choose)

  useEffect(() => {
    if (!edited) return
    setText(edited.content)
    field.current?.focus()
  }, [edited])

  // Whoever opens a chat is about to write; on touch screens the keyboard would cover half of it.
  useEffect(() => {
    if (matchMedia('(pointer: coarse)').matches || document.querySelector('dialog[open]')) return
    field.current?.focus({ preventScroll: true })
  }, [])

  // Written on another device meanwhile; whoever is writing here is interrupted only where it was sent from there.
  const elsewhere = state.drafts.value.get(placeKey(place))
  useEffect(() => {
    const isFocused = document.hasFocus() && document.activeElement === field.current
    const writing = isFocused && text !== '' && elsewhere !== undefined
    if (edited || hasUnsaved(place) || writing) return
    const draft = draftAt(place)
    setText(draft.content)
    void follow()
    // What is still being uploaded here is in no draft yet.
    if (!uploads.uploads.every(({ state }) => state === 'done') || keysOf(draft.files) === keysOf(files))
      return
    noted.current = keysOf(draft.files)
    uploads.reset(draft.files)
  }, [elsewhere])

  // A file that is uploaded, or taken out again, is part of the draft on every device.
  const files = uploads.uploads.flatMap(({ input }) => input ?? [])
  const noted = useRef(keysOf(files))
  useEffect(() => {
    if (edited || keysOf(files) === noted.current) return
    noted.current = keysOf(files)
    save({})
  }, [keysOf(files)])

  function save(change: Partial<Written>) {
    saveDraft(place, { content: text, files, parent_message_id: quoted?.id ?? null, ...change })
  }

  function write(next: string, start = next.length, end = start) {
    setText(next)
    setCaret(end)
    if (!edited) save({ content: next })
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(start, end)
    })
  }

  function insert(piece: string) {
    const { selectionStart: start = text.length, selectionEnd: end = start } = field.current ?? {}
    write(text.slice(0, start) + piece + text.slice(end), start + piece.length)
  }

  function mark(mark: Mark) {
    const { selectionStart: start = 0, selectionEnd: end = 0 } = field.current ?? {}
    const next = applyMark(mark, { text, start, end })
    write(next.text, next.start, next.end)
  }

  function choose(index: number) {
    const one = found[index]
    const at = command ?? mention
    if (!one || !at) return
    const piece = `${insertedText(one)} `
    write(text.slice(0, at.start) + piece + text.slice(caret), at.start + piece.length)
  }

  const ready =
    (text.trim() !== '' || files.length > 0) && uploads.uploads.every(({ state }) => state === 'done')

  function clear() {
    setText('')
    noted.current = ''
    uploads.reset([])
    setQuoted(null)
  }

  const written = {
    content: text.trim(),
    ...(files.length > 0 ? { files } : {}),
    ...(quoted ? { parent_message_id: quoted.id } : {}),
  }

  /** Answers nothing, and changes nothing, any more. */
  function leave() {
    if (edited) {
      setText(draftAt(place).content)
      editing.value = null
    } else {
      setQuoted(null)
      save({ parent_message_id: null })
    }
  }

  async function plan(schedule: DraftScheduleInput) {
    await planMessage(place, written, schedule)
    clear()
  }

  async function send() {
    if (!ready) return
    if (edited) {
      editing.value = null
      setText(draftAt(place).content)
      const body = { message: { content: text } }
      await call('updateMessage', { params: { id: edited.id }, body }).catch(() =>
        toast(words().common.failed, { look: 'bad' }),
      )
      return
    }
    clear()
    await sendMessage(place, written)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (isComposing(event)) return
    if (found.length > 0 && options.onKeyDown(event)) return
    if (event.key === 'Escape' && (quoted || edited)) {
      leave()
    } else if (event.key === 'ArrowUp' && text === '' && !edited) {
      const last = lastOwn(chat_id)
      if (!last) return
      event.preventDefault()
      editing.value = last
    } else if (event.key === 'Enter' && sends(event)) {
      event.preventDefault()
      void send()
    }
  }

  function onInput({ currentTarget }: { currentTarget: HTMLTextAreaElement }) {
    setText(currentTarget.value)
    setCaret(currentTarget.selectionEnd)
    if (!edited) save({ content: currentTarget.value })
    if (chat_id !== null) noteTyping(chat_id)
  }

  const mentions = { found, options, choose }
  return {
    text,
    field,
    uploads,
    quoted,
    edited,
    ready,
    mentions,
    insert,
    mark,
    send,
    plan,
    leave,
    onInput,
    onKeyDown,
    setCaret,
  }
}

const keysOf = (files: readonly { key: string }[]) => files.map(({ key }) => key).join()

/** The newest message of this person that is shown, which is what one most often corrects. */
function lastOwn(chatId: number | null) {
  const me = state.session.value?.user.id
  const shown = chatId === null ? [] : (state.messages.value.get(chatId)?.messages ?? [])
  return shown.findLast(({ user_id, deleted_at, system }) => user_id === me && !deleted_at && !system)
}

/** Enter sends, or breaks the line where the person wants it so and on touch screens. */
function sends(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey) return true
  if (event.shiftKey || matchMedia('(pointer: coarse)').matches) return false
  return state.preferences.value.enter_sends
}
