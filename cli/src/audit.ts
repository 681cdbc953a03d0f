import { archivedAudit, sealAuditLog, verifyAuditLog, withDatabase } from '@parley/server'
import type { Command } from 'commander'
import { configOf, printAbout, type Shared, withSharedOptions } from './answer.js'
import type { Terminal } from './terminal.js'

type Verdict = Awaited<ReturnType<typeof verifyAuditLog>>

function broken(verdict: { position: number; fault: string; checked: number }): string {
  return `The chain breaks at position ${verdict.position}: ${verdict.fault}. ${verdict.checked} records before it are whole.`
}

function linesOf(verdict: Verdict): string[] {
  if (!verdict.whole) return [broken(verdict)]
  return [
    `The chain is whole: ${verdict.checked} records, ${verdict.unsealed} more wait to be sealed.`,
    `Its head is ${verdict.head}: keep it elsewhere, and give it to the next check with --head.`,
  ]
}

function verify(terminal: Terminal, options: Shared & { head?: string }) {
  const config = configOf(terminal, options)
  return withDatabase(config, async ({ url }, workspace) => {
    const verdict = await verifyAuditLog(config, url, options.head)
    const answer = { value: verdict, lines: linesOf(verdict), failed: !verdict.whole }
    printAbout(terminal, options, workspace, answer)
  })
}

function seal(terminal: Terminal, options: Shared) {
  const config = configOf(terminal, options)
  return withDatabase(config, async ({ url }, workspace) => {
    const verdict = await sealAuditLog(config, url)
    const done = `The chain is sealed under the key of this server: ${verdict.checked} records.`
    const lines = [verdict.whole ? done : broken(verdict)]
    printAbout(terminal, options, workspace, { value: verdict, lines, failed: !verdict.whole })
  })
}

/** A line of JSON a record, however many there are. */
function archive(terminal: Terminal, options: Shared) {
  return withDatabase(configOf(terminal, options), async ({ url }) => {
    for await (const { workspace, record } of archivedAudit(url))
      terminal.out(`${JSON.stringify({ workspace, ...record })}\n`)
  })
}

export function addAudit(program: Command, terminal: Terminal) {
  const audit = program.command('audit').description('the audit log')
  withSharedOptions(audit.command('verify'))
    .description('walk the hash chain and say where a record was changed, removed or added')
    .option('--head <head>', 'what an earlier check printed: the chain must still run through it')
    .action((options) => verify(terminal, options))
  withSharedOptions(audit.command('seal'))
    .description('seal a whole chain under the key of this server, after the key was lost or first given')
    .action((options) => seal(terminal, options))
  withSharedOptions(audit.command('archive'))
    .description('the audit logs that came with portable files of other servers, as lines of JSON')
    .action((options) => archive(terminal, options))
}
