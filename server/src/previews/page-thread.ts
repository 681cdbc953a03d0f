import { parentPort } from 'node:worker_threads'
import { giveWay } from '../platform/priority.js'
import { readPage } from './open-graph.js'

/** A page as it came, for the thread that reads it. */
export interface PageQuestion {
  url: string
  body: Uint8Array
  content_type: string
}

giveWay()
parentPort?.on('message', ({ url, body, content_type }: PageQuestion) => {
  parentPort?.postMessage(readPage(url, Buffer.from(body), content_type) ?? null)
})
parentPort?.postMessage('ready')
