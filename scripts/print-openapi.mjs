// Prints the contract as openapi.json, so that a change of the API is seen as one in review.
import { readFileSync, writeFileSync } from 'node:fs'
import { COMMITTED, openapi } from '@parley/contract'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const examples = JSON.parse(readFileSync(new URL('../server/data/examples.json', import.meta.url), 'utf8'))
const document = openapi(version, { ...COMMITTED, examples })
writeFileSync(new URL('../openapi.json', import.meta.url), `${JSON.stringify(document, null, 1)}\n`)
