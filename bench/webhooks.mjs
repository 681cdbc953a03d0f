// Measures outgoing webhooks against real processes: node bench/webhooks.mjs [burst | throughput | latency | neighbours | kills]

import './help.mjs'
import { burst } from './webhooks-burst.mjs'
import { kills } from './webhooks-kills.mjs'
import { latency } from './webhooks-latency.mjs'
import { neighbours } from './webhooks-neighbours.mjs'
import { throughput } from './webhooks-throughput.mjs'

const all = { burst, throughput, latency, neighbours, kills }
const named = process.argv.slice(2)
for (const name of named.length > 0 ? named : Object.keys(all)) {
  console.log(`\n# ${name}`)
  await all[name]()
}
