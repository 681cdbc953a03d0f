import { reachDatabase, readConfig, sealAuditLog, verifyAuditLog } from '@parley/server'
import type { Command } from 'commander'
import { type Output, print } from './print.js'

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

async function verify(options: Output & { head?: string }) {
  const config = readConfig(process.env)
  const reached = await reachDatabase(config)
  try {
    const verdict = await verifyAuditLog(config, reached.url, options.head)
    print(options, verdict, linesOf(verdict))
    process.exitCode = verdict.whole ? 0 : 1
  } finally {
    await reached.close()
  }
}

async function seal(options: Output) {
  const config = readConfig(process.env)
  const reached = await reachDatabase(config)
  try {
    const verdict = await sealAuditLog(config, reached.url)
    const done = `The chain is sealed under the key of this server: ${verdict.checked} records.`
    print(options, verdict, [verdict.whole ? done : broken(verdict)])
    process.exitCode = verdict.whole ? 0 : 1
  } finally {
    await reached.close()
  }
}

export function addAudit(program: Command) {
  const audit = program.command('audit').description('the audit log')
  audit
    .command('verify')
    .description('walk the hash chain and say where a record was changed, removed or added')
    .option('--head <head>', 'what an earlier check printed: the chain must still run through it')
    .option('--json', 'print JSON')
    .action(verify)
  audit
    .command('seal')
    .description('seal a whole chain under the key of this server, after the key was lost or first given')
    .option('--json', 'print JSON')
    .action(seal)
}
