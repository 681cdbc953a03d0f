// Compares server/migrations with their checksums.txt: a migration that landed is never edited, because databases
// that applied it do not apply it again. `--add` writes the checksums of new migrations; it changes no line that is there.
// The file has the format of sha256sum.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const add = process.argv.includes('--add')
const folder = process.argv.slice(2).find((word) => !word.startsWith('--')) ?? 'server/migrations'
const list = join(folder, 'checksums.txt')

const lines = existsSync(list) ? readFileSync(list, 'utf8').trim().split(/\r?\n/).filter(Boolean) : []
const kept = new Map(lines.map((line) => line.split(/\s+/).reverse()))
const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))

function checksumOf(name) {
  const text = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n')
  return createHash('sha256').update(text).digest('hex')
}

if (add) {
  for (const name of names) if (!kept.has(name)) kept.set(name, checksumOf(name))
  const sorted = [...kept].sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(list, sorted.map(([name, checksum]) => `${checksum}  ${name}\n`).join(''))
}

const faults = []
for (const line of lines) {
  const [checksum, name] = line.split(/\s+/)
  if (kept.get(name) !== checksum)
    faults.push(`${name} is listed with two checksums: keep the first that landed`)
}
for (const name of names) {
  const checksum = kept.get(name)
  if (!checksum) faults.push(`${name} is not in checksums.txt: npm run print adds it`)
  else if (checksum !== checksumOf(name))
    faults.push(`${name} was edited after it landed: put it back, and write a new migration`)
}
for (const name of kept.keys())
  if (!names.includes(name)) faults.push(`${name} landed and is gone: put it back`)
if (faults.length > 0) {
  console.error(faults.map((fault) => `${folder}: ${fault}`).join('\n'))
  process.exit(1)
}
