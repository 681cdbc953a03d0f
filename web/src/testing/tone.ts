import type { Page } from 'playwright-core'

/** A tone instead of a microphone. */
export function useTone(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      const context = new AudioContext()
      const tone = context.createOscillator()
      const out = context.createMediaStreamDestination()
      tone.connect(out)
      tone.start()
      return out.stream
    }
  })
}

/** What the recorder shows from its first second on. */
export const RECORDED = /^0:(?!00)\d\d$/
