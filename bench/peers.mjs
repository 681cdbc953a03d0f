// Others that take messages over HTTP, in the same run. Each is `{ name, run(load, times), close }`, or says why it is not there.
import { openEjabberd } from './peers/ejabberd.mjs'
import { openEmulate } from './peers/emulate.mjs'

const PEERS = { emulate: openEmulate, ejabberd: openEjabberd }

export async function openPeers(say) {
  const peers = []
  for (const [name, open] of Object.entries(PEERS)) {
    const peer = await open(say).catch((error) => ({ skipped: `not to be had: ${error.message}` }))
    peers.push({ name, ...peer })
  }
  return peers
}
