// Turns TypeScript into JavaScript, package by package, where sources are newer than what was built from them.
// Types are checked by `npm run check`, which takes ten times as long.
import { spawn } from 'node:child_process'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const PACKAGES = ['contract', 'sdk', 'postgres', 'server', 'cli']
const root = new URL('..', import.meta.url).pathname
const tsc = createRequire(import.meta.url)
  .resolve('typescript/package.json')
  .replace(/package\.json$/, 'bin/tsc')

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function isStale(name) {
  const built = modified(join(root, name, 'dist', '.built'))
  const sources = readdirSync(join(root, name, 'src'), { recursive: true, withFileTypes: true })
  return (
    built === 0 || sources.some((entry) => modified(join(entry.parentPath ?? entry.path, entry.name)) > built)
  )
}

function transpile(name) {
  const plain = ['--noCheck', '--composite', 'false', '--declaration', 'false', '--incremental', 'false']
  const started = new Date()
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [tsc, '-p', join(root, name), ...plain], { stdio: 'inherit' })
    child.on('exit', (code) => {
      if (code !== 0) return reject(new Error(`${name} could not be built`))
      writeFileSync(join(root, name, 'dist', '.built'), started.toISOString())
      resolve()
    })
  })
}

await Promise.all(PACKAGES.filter(isStale).map(transpile))
