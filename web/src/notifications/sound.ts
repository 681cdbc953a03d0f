/** Two soft tones, made here: there is no file to load. */
const TONES = [
  { hertz: 660, at_s: 0 },
  { hertz: 880, at_s: 0.11 },
]
const LENGTH_S = 0.35
const LOUDNESS = 0.08
const PAUSE_MS = 1500

let context: AudioContext | undefined
let played_at = 0

/** Plays the sound of a notification, not more often than every other second. Browsers refuse before the first click. */
export function playSound() {
  if (performance.now() - played_at < PAUSE_MS && played_at > 0) return
  played_at = performance.now()
  context ??= new AudioContext()
  const { currentTime, destination } = context
  for (const { hertz, at_s } of TONES) {
    const tone = new OscillatorNode(context, { frequency: hertz })
    const gain = new GainNode(context, { gain: 0 })
    gain.gain.setValueAtTime(LOUDNESS, currentTime + at_s)
    gain.gain.exponentialRampToValueAtTime(0.0001, currentTime + at_s + LENGTH_S)
    tone.connect(gain).connect(destination)
    tone.start(currentTime + at_s)
    tone.stop(currentTime + at_s + LENGTH_S)
  }
}
