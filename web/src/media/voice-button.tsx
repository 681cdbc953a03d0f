import { useEffect, useRef, useState } from 'preact/hooks'
import { uploadFile } from '../composer/upload.js'
import type { Place } from '../drafts/state.js'
import { sendMessage } from '../messages/actions.js'
import { formatLength } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { ToolButton } from '../ui/button.js'
import { toast } from '../ui/toast.js'
import { type Recording, record } from './record.js'
import './voice.css'

/** Records a voice message and sends it. */
export function VoiceButton({ place }: { place: Place }) {
  const recording = useRef<Recording | null>(null)
  const [since, setSince] = useState<number | null>(null)
  const [now, setNow] = useState(0)
  const [sending, setSending] = useState(false)
  const { media } = words()

  useEffect(() => () => recording.current?.cancel(), [])
  useEffect(() => {
    if (since === null) return
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [since])

  async function begin() {
    try {
      recording.current = await record()
      setNow(Date.now())
      setSince(Date.now())
    } catch {
      toast(media.noMicrophone, { look: 'bad' })
    }
  }

  function cancel() {
    recording.current?.cancel()
    recording.current = null
    setSince(null)
  }

  async function send() {
    const done = recording.current
    if (!done) return
    recording.current = null
    setSending(true)
    try {
      const { file, duration_ms, waveform } = await done.finish()
      const input = await uploadFile(file, () => {}, new AbortController().signal)
      await sendMessage(place, {
        content: '',
        files: [{ ...input, file_type: 'voice', duration_ms, waveform }],
      })
    } catch {
      toast(media.voiceFailed, { look: 'bad' })
    }
    setSending(false)
    setSince(null)
  }

  if (since === null) return <ToolButton icon="mic" label={media.record} onClick={() => void begin()} />
  return (
    <span class="recording" role="status">
      <span class="recording-dot" aria-hidden="true" />
      {formatLength(Math.max(0, now - since))}
      <ToolButton icon="trash" label={media.dropVoice} disabled={sending} onClick={cancel} />
      <ToolButton icon="send" label={media.sendVoice} disabled={sending} onClick={() => void send()} />
    </span>
  )
}
