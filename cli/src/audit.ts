import { reachDatabase, readConfig, verifyAuditLog } from '@parley/server'
import type { Command } from 'commander'
import { type Output, print } from './print.js'

async function verify(options: Output) {
  const reached = await reachDatabase(readConfig(process.env))
  try {
    const verdict = await verifyAuditLog(reached.url)
    const lines = verdict.whole
      ? [`The chain is whole: ${verdict.checked} records, ${verdict.unsealed} more wait to be sealed.`]
      : [
          `The chain breaks at position ${verdict.position}: ${verdict.fault}. ${verdict.checked} records before it are whole.`,
        ]
    print(options, verdict, lines)
    process.exitCode = verdict.whole ? 0 : 1
  } finally {
    await reached.close()
  }
}

export function addAudit(program: Command) {
  program
    .command('audit')
    .description('the audit log')
    .command('verify')
    .description('walk the hash chain and say where a record was changed, removed or added')
    .option('--json', 'print JSON')
    .action(verify)
}
