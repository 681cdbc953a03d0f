import type { Log } from '../log.js'
import type { S3Storage } from './s3.js'

const AGAIN_MS = 5_000

/** Makes the bucket where the store has none of its name; while the store does not answer, it is asked again and again. */
export function prepareBucket(store: Pick<S3Storage, 'ensureBucket'>, log: Log, again_ms = AGAIN_MS) {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let told = false

  async function attempt() {
    try {
      if ((await store.ensureBucket()) === 'made') log.info('bucket of the S3 store made')
    } catch (error) {
      if (stopped) return
      if (!told) log.warn({ err: error }, 'the S3 store did not answer; asking again')
      told = true
      timer = setTimeout(attempt, again_ms).unref()
    }
  }

  void attempt()
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
