// Prints the contract as openapi.json, so that a change of the API is seen as one in review.
import { writeFileSync } from 'node:fs'
import { openapi } from '@parley/contract'

writeFileSync(new URL('../openapi.json', import.meta.url), `${JSON.stringify(openapi(), null, 1)}\n`)
