import { encodeWaveform } from './waveform.js'

export interface Recorded {
  file: File
  duration_ms: number
  waveform: string
}

export interface Recording {
  /** Ends it and gives what was recorded. */
  finish(): Promise<Recorded>
  cancel(): void
}

const TYPES = [
  ['audio/webm;codecs=opus', 'webm'],
  ['audio/mp4', 'm4a'],
  ['audio/ogg;codecs=opus', 'ogg'],
] as const
const MEASURE_EVERY_MS = 60

/** Listens to the microphone; fails where the person does not allow it. */
export async function record(): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  const [type, extension] = TYPES.find(([one]) => MediaRecorder.isTypeSupported(one)) ?? ['', 'webm']
  const recorder = new MediaRecorder(stream, type ? { mimeType: type } : {})
  const parts: Blob[] = []
  recorder.ondataavailable = ({ data }) => parts.push(data)
  const { levels, stop } = measure(stream)
  recorder.start()
  const began = performance.now()
  const end = () => {
    stop()
    for (const track of stream.getTracks()) track.stop()
  }
  return {
    async finish() {
      const duration_ms = Math.max(1, Math.round(performance.now() - began))
      const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve, { once: true }))
      recorder.stop()
      await stopped
      end()
      const file = new File(parts, `voice.${extension}`, { type: type.split(';')[0] || 'audio/webm' })
      return { file, duration_ms, waveform: encodeWaveform(levels) }
    },
    cancel() {
      recorder.stop()
      end()
    },
  }
}

/** How loud it is, again and again until it is stopped. */
function measure(stream: MediaStream): { levels: number[]; stop(): void } {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  const levels: number[] = []
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples)
    levels.push(Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / samples.length))
  }, MEASURE_EVERY_MS)
  return {
    levels,
    stop() {
      clearInterval(timer)
      void context.close()
    },
  }
}
