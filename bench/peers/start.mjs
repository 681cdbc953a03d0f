// Starts a peer in a process of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ended, watched } from '../machine/processes.mjs'

async function answers(url, child) {
  for (let tries = 0; tries < 100; tries += 1) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
    if (await fetch(url).catch(() => undefined)) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('it does not answer')
}

/** Starts it and waits until `url` answers; what comes back stops it. */
export async function startPeer(command, args, { url, ...options }) {
  const child = watched(spawn(command, args, { stdio: 'ignore', ...options }))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended(child)
  }
  await once(child, 'spawn')
  try {
    await answers(url, child)
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}

/** As fast as the peer takes them, on connections of the load process. */
export const postsTo = (port, requests) => (load, times) =>
  load.run({ kind: 'http', target: { host: '127.0.0.1', port }, requests, ...times })
