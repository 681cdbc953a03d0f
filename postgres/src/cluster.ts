import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { authArguments } from './access.js'
import { giveTo, listMakers } from './account.js'
import { type Programs, runProgram } from './programs.js'
import { copyTemplate, isUsable } from './template.js'

interface FirstStart {
  durable?: boolean
  template?: string
}

/** Makes the cluster on the first start, and refuses one of another major version of PostgreSQL. */
export async function prepareCluster(
  programs: Programs,
  folder: string,
  options: FirstStart,
): Promise<string> {
  const cluster = join(folder, 'cluster')
  const made = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => null)
  const major = programs.version.split('.')[0] as string
  if (made === null) await makeCluster(programs, folder, major, options)
  if (made !== null && made.trim() !== major) {
    throw new Error(
      `${cluster} is of PostgreSQL ${made.trim()} and this server brings ${major}: ` +
        'make a backup with the former version of the server, and restore it into a new folder.',
    )
  }
  await giveTo(programs.account, cluster)
  return cluster
}

/** Makes the database `parley` where a first start has not come so far. */
export async function prepareDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url.replace('/parley?', '/postgres?') })
  await client.connect()
  try {
    const { rowCount } = await client.query(`select from pg_database where datname = 'parley'`)
    if (rowCount === 0) await client.query('create database parley')
  } finally {
    await client.end()
  }
}

async function makeCluster(
  programs: Programs,
  folder: string,
  major: string,
  { durable = true, template }: FirstStart,
): Promise<void> {
  // Made under another name: a start that is cut short leaves nothing that looks like a cluster.
  const unfinished = join(folder, 'cluster-unfinished')
  await rm(unfinished, { recursive: true, force: true })
  if (template !== undefined && (await isUsable(template, major))) {
    await copyTemplate(template, folder, unfinished)
  } else await initialize(programs, folder, unfinished, durable)
  await giveTo(programs.account, unfinished)
  await rename(unfinished, join(folder, 'cluster'))
}

async function initialize(programs: Programs, folder: string, unfinished: string, durable: boolean) {
  const args = [
    `--pgdata=${unfinished}`,
    '--username=parley',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
    ...(await authArguments(folder)),
  ]
  const makers = listMakers(programs.account)
  for (const [index, account] of makers.entries()) {
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(unfinished, { mode: 0o700 })
    await giveTo(account, unfinished)
    try {
      await runProgram({ ...programs, account }, 'initdb', args)
      break
    } catch (error) {
      if (index === makers.length - 1) throw error
    }
  }
}
