import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { type Invited, invitePeople, OperatorError, type PersonToInvite } from '@parley/server'
import type { Command } from 'commander'
import { parse } from 'csv-parse/sync'
import { onWorkspace, type Shared, withSharedOptions } from './answer.js'
import { progressBar } from './progress.js'
import type { Terminal } from './terminal.js'

const COLUMNS = ['email', 'role', 'first_name', 'last_name', 'department', 'title', 'phone_number', 'tags']

function checkColumns(file: string, header: string[]): string[] {
  const names = header.map((name) => name.trim().toLowerCase())
  const unknown = names.filter((name) => !COLUMNS.includes(name))
  if (unknown.length > 0)
    throw new OperatorError(
      `${file} has columns that are not known: ${unknown.join(', ')}. Known are ${COLUMNS.join(', ')}.`,
    )
  if (!names.includes('email')) throw new OperatorError(`${file} has no column email.`)
  return names
}

interface Row {
  record: Record<string, string>
  info: { lines: number }
}

function personOf({ record, info }: Row): PersonToInvite {
  const { email = '', tags, ...rest } = record
  const card = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== ''))
  const list_tags = tags
    ?.split(';')
    .map((tag) => tag.trim())
    .filter(Boolean)
  return { line: info.lines, email, ...card, ...(list_tags?.length && { list_tags }) }
}

/** The people of a CSV file with a line of titles; the delimiter is a comma, a semicolon or a tab. */
async function readPeople(file: string): Promise<PersonToInvite[]> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new OperatorError(`${file} cannot be read: ${error.message}`)
  })
  // Spreadsheets write another encoding unless told otherwise, which would garble names and mails.
  if (!isUtf8(bytes)) throw new OperatorError(`${file} is not UTF-8: save it as "CSV UTF-8".`)
  const text = bytes.toString('utf8')
  const [titles = ''] = text.split('\n', 1)
  const delimiter = [',', ';', '\t'].find((mark) => titles.includes(mark)) ?? ','
  try {
    const rows = parse(text, {
      bom: true,
      delimiter,
      info: true,
      trim: true,
      skip_empty_lines: true,
      columns: (header: string[]) => checkColumns(file, header),
    })
    return (rows as unknown as Row[]).map(personOf)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`${file}: ${(error as Error).message}`)
  }
}

function totalsOf(results: Invited[]): string {
  const count = (state: Invited['state']) => results.filter((result) => result.state === state).length
  return `${count('invited')} invited, ${count('skipped')} skipped, ${count('failed')} failed.`
}

async function importPeople(terminal: Terminal, file: string, options: Shared & { links?: boolean }) {
  const people = await readPeople(file)
  await onWorkspace(terminal, options, async (workspace) => {
    const bar = progressBar(terminal, 'Inviting', options.json)
    const results: Invited[] = []
    for await (const result of invitePeople(workspace, people, { links: options.links ?? false })) {
      results.push(result)
      bar.onProgress({ table: result.email, share: results.length / people.length })
    }
    bar.done()
    const lines = results.map(
      ({ line, email, state, detail }) => `line ${line}: ${email} ${state}: ${detail}`,
    )
    const failed = results.some(({ state }) => state === 'failed')
    return { value: { people: results }, lines: [...lines, totalsOf(results)], failed }
  })
}

export function addImportOfPeople(user: Command, terminal: Terminal) {
  withSharedOptions(user.command('import'))
    .argument('<file>', `CSV with a line of titles: ${COLUMNS.join(', ')} (tags with ; between them)`)
    .description('invite everybody in a CSV file; those who are there already are skipped')
    .option('--links', 'print the links of the invitations instead of sending letters')
    .action((file, options) => importPeople(terminal, file, options))
}
