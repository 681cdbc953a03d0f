import { useRef, useState } from 'preact/hooks'
import { formatLength } from '../platform/format.js'
import { words } from '../platform/i18n.js'
import { Icon } from '../ui/icon.js'
import { decodeWaveform } from './waveform.js'
import './voice.css'

interface VoicePlayerProps {
  url: string
  duration_ms: number
  waveform: string
}

const BAR = 3
const GAP = 2
const HEIGHT = 28

/** Plays a voice message; the bars show how loud it is and how far it has come. */
export function VoicePlayer({ url, duration_ms, waveform }: VoicePlayerProps) {
  const sound = useRef<HTMLAudioElement>(null)
  const [playing, setPlaying] = useState(false)
  const [at_ms, setAt] = useState(0)
  const { media } = words()
  const toggle = () => (playing ? sound.current?.pause() : void sound.current?.play().catch(() => {}))
  return (
    <div class="voice">
      <button
        type="button"
        class="voice-play"
        aria-label={playing ? media.pause : media.play}
        onClick={toggle}
      >
        <Icon name={playing ? 'pause' : 'play'} />
      </button>
      <span class="voice-sound">
        <Bars waveform={waveform} part={duration_ms === 0 ? 0 : at_ms / duration_ms} />
        <input
          class="voice-seek"
          type="range"
          min={0}
          max={Math.max(1, duration_ms)}
          step={100}
          value={at_ms}
          aria-label={media.position}
          aria-valuetext={formatLength(at_ms)}
          onInput={({ currentTarget }) => {
            if (sound.current) sound.current.currentTime = Number(currentTarget.value) / 1000
            setAt(Number(currentTarget.value))
          }}
        />
      </span>
      <span class="voice-time">{formatLength(playing || at_ms > 0 ? at_ms : duration_ms)}</span>
      {/* biome-ignore lint/a11y/useMediaCaption: people record these; what is said stands below, where it is known. */}
      <audio
        ref={sound}
        src={url}
        preload="none"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setAt(0)}
        onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime * 1000)}
      />
    </div>
  )
}

function Bars({ waveform, part }: { waveform: string; part: number }) {
  const bars = decodeWaveform(waveform)
  const width = bars.length * (BAR + GAP)
  return (
    <svg class="voice-bars" viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {bars.map((bar, index) => {
        const height = Math.max(3, bar * HEIGHT)
        return (
          <rect
            key={index}
            class={index / bars.length < part ? 'voice-played' : ''}
            x={index * (BAR + GAP)}
            y={(HEIGHT - height) / 2}
            width={BAR}
            height={height}
            rx={1.5}
          />
        )
      })}
    </svg>
  )
}
