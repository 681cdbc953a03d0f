import { useRef, useState } from 'preact/hooks'
import { type Place, placeKey } from '../drafts/state.js'
import { EmojiButton } from '../emoji/emoji-button.js'
import { LaterMenu } from '../later/later-menu.js'
import { VoiceButton } from '../media/voice-button.js'
import { words } from '../platform/i18n.js'
import { ToolButton } from '../ui/button.js'
import { Toolbar } from '../ui/toolbar.js'
import { About } from './about.js'
import { AttachButton } from './attach-button.js'
import { Attachments } from './attachments.js'
import { MarkButtons } from './mark-buttons.js'
import { MentionList } from './mention-list.js'
import { SendButton } from './send-button.js'
import { TypingLine } from './typing-line.js'
import { useDrop } from './use-drop.js'
import { useWriting, type Writing } from './use-writing.js'
import './composer.css'

interface ComposerProps {
  place: Place
  /** Null before the first message to a person. */
  chat_id: number | null
  label: string
  /** A thread has room for less. */
  small?: boolean
}

export function Composer({ place, chat_id, label, small = false }: ComposerProps) {
  const writing = useWriting(place, chat_id)
  const { uploads, quoted, edited, ready } = writing
  const { found, options, choose } = writing.mentions
  const { composer } = words()
  const [recording, setRecording] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const dropping = useDrop(form, writing.attach)

  return (
    <form
      ref={form}
      class={`composer ${small ? 'composer-small' : ''}`}
      id={`composer-${placeKey(place)}`}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        void writing.send()
      }}
    >
      {dropping && (
        <div class="composer-drop">{edited ? composer.noFilesWhileEditing : composer.dropHere}</div>
      )}
      <TypingLine chat_id={chat_id} />
      <div class="composer-box">
        {found.length > 0 && <MentionList found={found} options={options} onChoose={choose} />}
        <About quoted={quoted} edited={edited} onLeave={writing.leave} />
        {!edited && <Attachments uploads={uploads} />}
        <Field writing={writing} label={label} />
        <Toolbar label={composer.tools} class="composer-row">
          {!edited && <AttachButton onFiles={writing.attach} />}
          <EmojiButton label={composer.emoji} class="tool" onChoose={writing.insert} />
          {!small && (
            <ToolButton
              class="only-wide"
              icon="at"
              label={composer.mention}
              onClick={() => writing.insert('@')}
            />
          )}
          {!small && <MarkButtons onMark={writing.mark} />}
          <span class="toolbar-gap" />
          {!edited && !ready && <VoiceButton place={place} onRecording={setRecording} />}
          {!edited && !recording && <LaterMenu disabled={!ready} onPlan={writing.plan} />}
          {!recording && <SendButton ready={ready} editing={edited !== null} />}
        </Toolbar>
      </div>
    </form>
  )
}

/** Cells of a table and paragraphs of an office program: they bring a picture of themselves along. */
const isTextWithPicture = (types: readonly string[]) =>
  types.includes('text/plain') && types.includes('text/html')

/** The text, which grows with what is written; its hint is no placeholder, which would be cut off without an ellipsis. */
function Field({ writing, label }: { writing: Writing; label: string }) {
  const { found, options } = writing.mentions
  return (
    <>
      <textarea
        ref={writing.field}
        rows={1}
        aria-label={label}
        placeholder=" "
        value={writing.text}
        aria-controls={found.length > 0 ? options.listId : undefined}
        aria-activedescendant={found.length > 0 ? options.optionId(options.active) : undefined}
        onInput={writing.onInput}
        onSelect={({ currentTarget }) => writing.setCaret(currentTarget.selectionEnd)}
        onKeyDown={writing.onKeyDown}
        onPaste={(event) => {
          const pasted = event.clipboardData
          if (!pasted?.files.length || isTextWithPicture(pasted.types)) return
          event.preventDefault()
          writing.attach(pasted.files)
        }}
      />
      <span class="composer-hint" aria-hidden="true">
        {label}
      </span>
    </>
  )
}
