// Prints what CHANGELOG.md says of a version: node scripts/release-notes.mjs 0.1.0
import { readFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const { version: current } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
const version = (process.argv[2] ?? current).replace(/^v/, '')
const sections = readFileSync(new URL('CHANGELOG.md', root), 'utf8').split(/^## /m)
const section = sections.find((text) => text.split('\n', 1)[0].trim().split(' ')[0] === version)
if (!section) {
  console.error(`CHANGELOG.md has no section for ${version}.`)
  process.exit(1)
}
console.log(section.slice(section.indexOf('\n') + 1).trim())
