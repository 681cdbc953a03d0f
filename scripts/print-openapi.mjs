// Prints the contract as openapi.json, so that a change of the API is seen as one in review.
import { readFileSync, writeFileSync } from 'node:fs'
import { openapi } from '@parley/contract'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
writeFileSync(new URL('../openapi.json', import.meta.url), `${JSON.stringify(openapi(version), null, 1)}\n`)
