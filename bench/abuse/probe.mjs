// Watches a server that is attacked: how soon it answers, and how much memory it takes.
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

function residentMb(pid) {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Math.round(Number(line?.[1] ?? 0) / 1024)
}

export function watch({ url, pid }) {
  const thread = new Worker(new URL('./livez-thread.mjs', import.meta.url), { workerData: { url, pid } })
  const start_mb = residentMb(pid)
  let peak_mb = start_mb
  const timer = setInterval(() => {
    peak_mb = Math.max(peak_mb, residentMb(pid))
  }, 250)
  return {
    async stop() {
      clearInterval(timer)
      const livez = await new Promise((resolve) => {
        thread.once('message', resolve)
        thread.postMessage('stop')
      })
      return { livez, memory_mb: { start: start_mb, peak: peak_mb, end: residentMb(pid) } }
    },
  }
}
