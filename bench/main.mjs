// npm run bench: measures the real server, bare servers, the bare driver and peers in one interleaved run.
import { mkdirSync, writeFileSync } from 'node:fs'
import { readArgs } from './args.mjs'
import { growth, growthTable, measureGrowth } from './growth.mjs'
import { describeMachine, readMemory, watchMemory } from './machine/accounting.mjs'
import { interleave } from './machine/rounds.mjs'
import { openPeers } from './peers.mjs'
import { people } from './people.mjs'
import { profile } from './profile.mjs'
import { chart } from './report/chart.mjs'
import { goalRows } from './report/goals.mjs'
import { cpuTable, goalTable } from './report/print.mjs'
import { scaleOut } from './scale.mjs'
import { soak } from './soak.mjs'
import { fillHistory } from './stage/history.mjs'
import { bareHooks, fullSpeed, hookLatency, hookSpeed, readDisk, steadyReads } from './suite.mjs'
import { axe } from './web/axe.mjs'
import { web } from './web.mjs'
import { furnish, openWorkspace } from './workspace.mjs'

const MINUTE = 60_000
/** A server that has just begun goes on giving memory back for a while. */
const SETTLED_MS = 28_000
/** The past that the growth to the whole of it is measured from. */
const SMALL_PAST = 10_000
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** How much of everything: the whole run within twenty minutes, the quick one within five. */
const SIZES = {
  full: {
    messages: 2_000_000,
    rounds: 3,
    measure_ms: 3000,
    steady_ms: 6000,
    hooks: 60,
    total_ms: 9 * MINUTE,
  },
  quick: {
    messages: 100_000,
    rounds: 1,
    measure_ms: 1000,
    steady_ms: 1500,
    hooks: 20,
    total_ms: 1.5 * MINUTE,
  },
}

async function measureAll(options, say) {
  const size = { ...SIZES[options.quick ? 'quick' : 'full'] }
  if (options.messages) size.messages = Number(options.messages)
  if (options.minutes) size.total_ms = Number(options.minutes) * MINUTE
  const began = performance.now()
  const untilShare = (share) => began + size.total_ms * share
  const space = await openWorkspace()
  const peers = options.peers ? await openPeers(say) : []
  try {
    await sleep(SETTLED_MS)
    const idle = readMemory(space.server.pid)
    await furnish(space)
    const filled = (have, want) => fillHistory(space.db, space.stage, { have, want, say })
    const grown = { times: { measure_ms: size.measure_ms }, rounds: 1, until: Infinity, say }
    const [small, growing] = [Math.min(SMALL_PAST, size.messages), {}]
    await filled(0, small)
    growing[small] = await measureGrowth(space, grown)
    const filled_s = await filled(small, size.messages)
    const disk = await readDisk(space.db)
    say(`${size.messages} messages were loaded in ${Math.round(filled_s)} s`)
    const memory = watchMemory(space.server.pid)
    const times = { measure_ms: size.measure_ms }
    const steady = { measure_ms: size.steady_ms, warm_ms: options.quick ? 500 : 1000 }
    const rounds = size.rounds

    const speed = await interleave(
      [
        ...(await fullSpeed(space, times)),
        ...peers
          .filter((peer) => peer.run)
          .map((peer) => ({ name: `peer_${peer.name}`, run: () => peer.run(space.load, times) })),
      ],
      { rounds, until: untilShare(0.7), say },
    )
    const calm = await interleave([...steadyReads(space, steady), hookLatency(space, steady)], {
      rounds,
      until: untilShare(0.9),
      say,
    })
    let sample = '{}'
    const hooks = hookSpeed(space, size.hooks)
    const posted = {
      ...hooks,
      run: async () => {
        const slice = await hooks.run()
        sample = slice.sample
        return slice
      },
    }
    const hooked = await interleave([posted, bareHooks(space, times, () => sample)], {
      rounds,
      until: untilShare(1),
      say,
    })
    const loaded = memory.stop()
    growing[size.messages] = await measureGrowth(space, grown)
    return {
      machine: describeMachine(),
      at: new Date().toISOString().slice(0, 10),
      command: `npm run bench${options.quick ? ' -- --quick' : ''}`,
      messages: size.messages,
      seconds: (performance.now() - began) / 1000,
      idle,
      loaded,
      disk,
      growing,
      ...speed,
      ...calm,
      ...hooked,
      peers: Object.fromEntries(
        peers.map((peer) => [peer.name, peer.run ? speed[`peer_${peer.name}`] : { skipped: peer.skipped }]),
      ),
    }
  } finally {
    for (const peer of peers) await peer.close?.()
    await space.close()
  }
}

function draw(figures) {
  const bar = (label, entry, ours = false) => ({ label, value: entry.per_second, ours })
  const peers = Object.entries(figures.peers).filter(([, peer]) => !peer.skipped)
  const groups = [
    {
      title: 'Sending a message, 32 connections',
      unit: '/s',
      bars: [
        bar('bare node:http, nothing kept', figures.bare_post),
        bar('bare driver, one statement each', figures.post_statement),
        bar('Parley, 1 000 chats', figures.post, true),
        bar('Parley, all in one chat', figures.post_one_chat, true),
        ...peers.map(([name, peer]) => bar(name, peer)),
      ],
    },
    {
      title: 'Reading fifty messages, 32 connections',
      unit: '/s',
      bars: [
        bar('bare node:http, same bytes', figures.bare_get),
        bar('Parley, latest page', figures.latest, true),
        bar('bare query, deep page', figures.deep_statement),
        bar('Parley, deep page', figures.deep, true),
      ],
    },
    {
      title: 'Webhooks, 100 bots',
      unit: '/s',
      bars: [bar('bare undici client', figures.bare_hooks), bar('Parley', figures.hooks, true)],
    },
    {
      title: `99 of 100 answers come within, ${figures.messages.toLocaleString('en').replaceAll(',', ' ')} messages, 200 requests/s`,
      unit: 'ms',
      bars: [
        ['GET /chats', figures.chats],
        ['GET /chats/{id}', figures.chat],
        ['GET /users', figures.users],
        ['search', figures.search],
      ].map(([label, entry]) => ({ label, value: entry.p99_ms ?? 0, ours: true })),
    },
  ]
  return chart('Parley beside what the machine allows', groups, [
    figures.machine,
    `${figures.command}, ${figures.at}; median of the undisturbed rounds; load, server and database share the machine.`,
  ])
}

function keep(name, figures, svg) {
  const folder = new URL('./results/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(figures, null, 1)}\n`)
  if (svg) writeFileSync(new URL(`${name}.svg`, folder), svg)
}

const options = readArgs({
  usage: 'npm run bench -- [options]',
  about:
    'Measures the server beside bare servers, the bare driver and peers, in rounds that take turns. Figures are kept in bench/results.',
  options: {
    quick: { about: 'five minutes instead of twenty: fewer messages, one round' },
    messages: { value: 'n', about: 'how many messages the workspace has (2 000 000, quick 100 000)' },
    minutes: { value: 'n', about: 'how long to measure at most (9, quick 1.5)' },
    peers: { about: 'measure other programs of the kind as well, where they are installed' },
    growth: { about: 'instead: what the same request costs as the past grows' },
    sizes: { value: 'list', about: 'with --growth: numbers of messages with commas between them' },
    scale: { about: 'instead: one, two and three processes on one database' },
    people: { about: 'instead: how many people the machine carries, with everything that they do at once' },
    profile: { about: 'instead: what server and database spend their time on' },
    web: { about: 'instead: the budgets of the web client, in a browser' },
    soak: { about: 'instead: what a browser keeps of --minutes (10) with five events a second' },
    axe: { about: 'instead: every screen of the web client in every look, with a checker of accessibility' },
    pictures: { value: 'folder', about: 'with --axe: a picture of each look' },
    json: { about: 'print JSON' },
  },
})
const say = (line) => process.stderr.write(`${line}\n`)
const print = (figures, text) => process.stdout.write(`${options.json ? JSON.stringify(figures) : text}\n`)

if (options.growth) {
  const { figures, text } = await growth(options, say)
  keep('growth', figures)
  print(figures, text)
} else if (options.people) {
  const { figures, text } = await people(options, say)
  keep('people', figures)
  print(figures, text)
} else if (options.profile) {
  const { figures, text } = await profile(options, say)
  print(figures, text)
} else if (options.scale) {
  const { figures, text } = await scaleOut(options, say)
  keep('scale', figures)
  print(figures, text)
} else if (options.axe) {
  process.exit(await axe(options))
} else if (options.soak) {
  const { figures, text } = await soak(options, say)
  keep('soak', figures)
  print(figures, text)
} else if (options.web) {
  const { figures, text } = await web(options, say)
  keep('web', figures)
  print(figures, text)
} else {
  const figures = await measureAll(options, say)
  keep(options.quick ? 'quick' : 'bench', figures, draw(figures))
  const rows = goalRows(figures)
  const head = `${figures.machine}\n${figures.command}: ${Math.round(figures.seconds)} s. Rate limits are off for the server under test; nothing else is.\n`
  const sizes = Object.keys(figures.growing).map(Number)
  const text = `${head}\n${goalTable(rows)}\n\n${cpuTable(figures)}\n\n${growthTable(figures.growing, sizes)}`
  print({ ...figures, goals: rows }, text)
}
