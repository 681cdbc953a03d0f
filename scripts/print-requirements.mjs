// Prints the laws of this edition of the contract, so that a law that changes or goes is seen as one in review.
import { writeFileSync } from 'node:fs'
import { EDITION } from '../conformance/dist/edition.js'
import { LAWS } from '../conformance/dist/laws.js'
import { requirementsOf } from '../conformance/dist/requirements.js'

const file = new URL(`../conformance/requirements/${EDITION}.json`, import.meta.url)
writeFileSync(file, `${JSON.stringify(requirementsOf(LAWS), null, 1)}\n`)
