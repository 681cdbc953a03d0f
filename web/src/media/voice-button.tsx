import { useEffect, useRef, useState } from 'preact/hooks'
import type { Place } from '../drafts/state.js'
import { sendMessage } from '../messages/actions.js'
import { formatLength } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { ToolButton } from '../ui/button.js'
import { toast } from '../ui/toast.js'
import { type Recording, record } from './record.js'
import './voice.css'

/** Records a voice message and sends it through the outbox, which keeps it until there is a connection. */
export function VoiceButton({ place, onRecording }: { place: Place; onRecording(now: boolean): void }) {
  const recording = useRef<Recording | null>(null)
  const [since, setSince] = useState<number | null>(null)
  const [now, setNow] = useState(0)
  const { media } = words()

  useEffect(() => () => recording.current?.cancel(), [])
  useEffect(() => onRecording(since !== null), [since !== null])
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
    setSince(null)
    try {
      const { file, duration_ms, waveform } = await done.finish()
      const voice = { key: '', name: file.name, size: file.size, file_type: 'voice' } as const
      await sendMessage(place, { content: '', files: [{ ...voice, duration_ms, waveform }] }, file)
    } catch {
      toast(media.voiceFailed, { look: 'bad' })
    }
  }

  if (since === null) return <ToolButton icon="mic" label={media.record} onClick={() => void begin()} />
  return (
    <span class="recording" role="status">
      <span class="recording-dot" aria-hidden="true" />
      {formatLength(Math.max(0, now - since))}
      <ToolButton icon="trash" label={media.dropVoice} onClick={cancel} />
      <ToolButton icon="send" label={media.sendVoice} onClick={() => void send()} />
    </span>
  )
}
