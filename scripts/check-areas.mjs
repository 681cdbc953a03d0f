// Holds the imports of server/src against the order of areas in docs/areas.md: an area imports only areas above it.
// Files import each other in no circle; imports of types alone do not count.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const SOURCES = 'server/src'
/** Above every area: they may import all of them, and no area imports them. */
const OUTSIDE = new Set(['testing'])

const page = readFileSync('docs/areas.md', 'utf8')
const order = ['platform', ...[...page.matchAll(/^\| `([\w-]+)` +\|/gm)].map(([, area]) => area)]

const areaOf = (path) => path.split('/')[0]
const isProduct = (name) => /\.ts$/.test(name) && !/\.test\.ts$|(^|\/)testing-[\w-]+\.ts$/.test(name)

/** Imports of a file that lead into another area, as [area, imported file]. */
function importsOf(file) {
  const text = readFileSync(join(SOURCES, file), 'utf8')
  const targets = [...text.matchAll(/(?:from|import) '(\.[^']+)'/g)].map(([, path]) => path)
  return targets
    .map((path) => relative(SOURCES, join(SOURCES, dirname(file), path)))
    .filter((path) => path.includes('/') && areaOf(path) !== areaOf(file))
}

const faults = []
const files = readdirSync(SOURCES, { recursive: true }).filter(
  (name) => name.includes('/') && isProduct(name),
)
for (const area of new Set(files.map(areaOf))) {
  if (!order.includes(area) && !OUTSIDE.has(area)) faults.push(`${area}/ has no place in docs/areas.md`)
}
for (const file of files.filter((name) => !OUTSIDE.has(areaOf(name)))) {
  const mine = order.indexOf(areaOf(file))
  for (const target of importsOf(file)) {
    const theirs = order.indexOf(areaOf(target))
    if (theirs === -1 || theirs > mine) faults.push(`${file} imports ${target}, against the order of areas`)
  }
}
/** The files that `file` imports, without those it only takes types from. */
function valueImportsOf(file) {
  const text = readFileSync(join(SOURCES, file), 'utf8')
  const imports = [...text.matchAll(/^(?:import|export) (?!type )[^']*?from '(\.[^']+)\.js'/gm)]
  return imports.map(([, path]) => `${join(dirname(file), path)}.ts`)
}

const done = new Set()
function findCircles(file, path) {
  if (path.includes(file)) {
    faults.push(`circle of imports: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`)
    return
  }
  if (done.has(file) || !known.has(file)) return
  for (const target of valueImportsOf(file)) findCircles(target, [...path, file])
  done.add(file)
}

const known = new Set(readdirSync(SOURCES, { recursive: true }).filter(isProduct))
for (const file of known) findCircles(file, [])

for (const area of order) {
  if (!files.some((file) => areaOf(file) === area)) faults.push(`docs/areas.md names ${area}/, which is gone`)
}
if (faults.length > 0) {
  console.error(faults.sort().join('\n'))
  process.exit(1)
}
