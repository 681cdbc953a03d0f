// Finds a Chromium for the browser tests, or gets one. The first way that works wins; see the table at the end.
import { spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'

const root = fileURLToPath(new URL('../../', import.meta.url))
const cache = join(root, 'node_modules', '.cache', 'browser')
const NAMES = ['chromium-headless-shell', 'chromium', 'google-chrome', 'google-chrome-stable']
const SPARTICUZ = {
  version: '153.0.0',
  integrity:
    'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==',
}

/** @typedef {{ path: string, env?: Record<string, string> }} Browser */

function works({ path, env = {} }) {
  try {
    accessSync(path, constants.X_OK)
  } catch {
    return false
  }
  return spawnSync(path, ['--version'], { env: { ...process.env, ...env }, timeout: 20_000 }).status === 0
}

function run(command, args, options = {}) {
  const { status, stdout } = spawnSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    ...options,
  })
  return status === 0 ? stdout : null
}

/** What the ways below ask of the machine; tests give another one. */
const MACHINE = {
  env: process.env,
  run,
  works,
  exists: existsSync,
  isRoot: process.getuid?.() === 0,
}

/** By the person, or by the runner of the tests, which looks once for all of its processes. */
function named({ env: { PARLEY_BROWSER, PARLEY_BROWSER_LIBRARIES } }) {
  if (!PARLEY_BROWSER || PARLEY_BROWSER === 'required') return null
  const env = PARLEY_BROWSER_LIBRARIES ? { LD_LIBRARY_PATH: PARLEY_BROWSER_LIBRARIES } : {}
  return { path: PARLEY_BROWSER, env }
}

function onPath({ env, exists }) {
  const folders = (env.PATH ?? '').split(delimiter)
  for (const name of NAMES)
    for (const folder of folders) if (exists(join(folder, name))) return { path: join(folder, name) }
  return null
}

async function ofPlaywright() {
  const { chromium } = await import('playwright-core')
  return { path: chromium.executablePath() }
}

const isGlibc = () =>
  process.platform === 'linux' && Boolean(process.report.getReport().header.glibcVersionRuntime)

/** An npm package that carries a Chromium for x64, with the libraries that small images lack. */
function ofNpm({ run, exists }) {
  if (process.arch !== 'x64' || !isGlibc()) return null
  const home = join(cache, 'npm')
  const path = join(home, 'chromium')
  const env = { LD_LIBRARY_PATH: join(home, 'al2023', 'lib') }
  if (exists(path)) return { path, env }
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), '{"private":true}')
  const wanted = `@sparticuz/chromium@${SPARTICUZ.version}`
  const told = run('npm', ['view', wanted, 'dist.integrity'])
  if (told?.trim() !== SPARTICUZ.integrity) return null
  const args = [
    'install',
    '--no-save',
    '--no-package-lock',
    '--ignore-scripts',
    '--force',
    '--prefix',
    home,
    wanted,
  ]
  if (run('npm', args, { timeout: 300_000 }) === null) return null
  const bin = join(home, 'node_modules', '@sparticuz', 'chromium', 'bin')
  for (const name of ['al2023.tar.br', 'swiftshader.tar.br']) {
    if (!existsSync(join(bin, name))) continue
    const target = name.startsWith('al2023') ? join(home, 'al2023') : home
    mkdirSync(target, { recursive: true })
    run('tar', ['-x', '-C', target], {
      input: brotliDecompressSync(readFileSync(join(bin, name))),
      stdio: ['pipe', 'pipe', 'ignore'],
    })
  }
  writeFileSync(path, brotliDecompressSync(readFileSync(join(bin, 'chromium.br'))))
  chmodSync(path, 0o755)
  return { path, env }
}

/** Debian and Ubuntu: installed by root, unpacked into the cache by anybody else. */
function ofApt(machine) {
  const { run, exists } = machine
  if (run('which', ['apt-get']) === null) return null
  const name = 'chromium-headless-shell'
  if (machine.isRoot) {
    // A fresh image has no lists of packages; those of an old one name packages that are gone.
    run('apt-get', ['update', '-qq'], { timeout: 120_000 })
    const args = ['install', '-y', '-qq', '--no-install-recommends', name]
    run('apt-get', args, { timeout: 400_000, env: { ...machine.env, DEBIAN_FRONTEND: 'noninteractive' } })
    return onPath(machine)
  }
  const home = join(cache, 'apt')
  const path = join(home, 'usr', 'lib', 'chromium', name)
  const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
  const library = join(home, 'usr', 'lib', triplet)
  const env = { LD_LIBRARY_PATH: [library, join(library, 'pulseaudio')].join(delimiter) }
  if (exists(path)) return { path, env }
  const plan = run('apt-get', ['install', '-s', '--no-install-recommends', name])
  const packages = [...(plan ?? '').matchAll(/^Inst (\S+)/gm)].map(([, wanted]) => wanted)
  if (packages.length === 0) return null
  mkdirSync(home, { recursive: true })
  if (run('apt-get', ['download', ...packages], { cwd: home, timeout: 300_000 }) === null) return null
  for (const file of readdirSync(home).filter((file) => file.endsWith('.deb')))
    run('dpkg-deb', ['-x', join(home, file), home])
  return { path, env }
}

async function byPlaywright({ run }) {
  // Its command line is no export of the package.
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js')
  run(process.execPath, [cli, 'install', 'chromium-headless-shell'], { timeout: 400_000 })
  return ofPlaywright()
}

/** In this order; a way that gives nothing, or something that does not start, is followed by the next. */
const WAYS = { named, onPath, ofPlaywright, ofNpm, ofApt, byPlaywright }

export const HOW_TO_GET_ONE =
  'No browser was found. Install Chromium (apt-get install chromium-headless-shell) or set PARLEY_BROWSER to the path of one.'

/** Null also where PARLEY_BROWSER is `none`: somebody looked already. @returns {Promise<Browser | null>} */
export async function findBrowser(machine = MACHINE) {
  if (machine.env.PARLEY_BROWSER === 'none') return null
  for (const way of Object.values(WAYS)) {
    const browser = await way(machine)
    if (browser && machine.works(browser)) return browser
    if (way === named && browser)
      throw new Error(`PARLEY_BROWSER names ${browser.path}, which does not start`)
  }
  return null
}

/** The environment for the processes of a test run: the browser, or that there is none. Throws where one is required. */
export function browserEnv(browser, wanted = process.env.PARLEY_BROWSER) {
  if (browser) {
    const { LD_LIBRARY_PATH } = browser.env ?? {}
    return {
      PARLEY_BROWSER: browser.path,
      ...(LD_LIBRARY_PATH ? { PARLEY_BROWSER_LIBRARIES: LD_LIBRARY_PATH } : {}),
    }
  }
  if (wanted === 'required') throw new Error(HOW_TO_GET_ONE)
  return { PARLEY_BROWSER: 'none' }
}
