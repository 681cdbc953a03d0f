import type { Approval } from '@parley/contract'
import { attempt } from '../frame/attempt.js'
import { NotRead } from '../frame/waiting.js'
import { personAt } from '../people/names.js'
import { call } from '../platform/api.js'
import { formatMoment } from '../platform/format.js'
import { useRead } from '../platform/use-read.js'
import { state } from '../store.js'
import { Button } from '../ui/button.js'
import { accessWords } from '../words/access.js'
import { Section } from './section.js'
import './approvals-page.css'

const readApprovals = async (): Promise<readonly Approval[]> => (await call('listApprovals')).data

/** Writes of own tokens and bots that wait for the person, and those that were decided. */
export function ApprovalsPage() {
  const access = accessWords()
  // A request comes with a notice, and an answer on another device reads that notice.
  const unread = state.counters.value.notices_unread
  const { read: approvals, setRead: setApprovals, waiting } = useRead(readApprovals, [unread])

  async function decide(id: number, approved: boolean) {
    await attempt(async () => {
      const { data } = await call('decideApproval', { params: { id }, body: { approved } })
      setApprovals((known) => known?.map((one) => (one.id === id ? data : one)) ?? null)
    })
  }

  return (
    <Section title={access.approvalsTitle} text={access.approvalsText}>
      {approvals === null && <NotRead {...waiting} />}
      {approvals?.length === 0 && <p class="quiet">{access.noApprovals}</p>}
      <ul class="approvals">
        {approvals?.map((approval) => (
          <ApprovalRow key={approval.id} approval={approval} onDecide={decide} />
        ))}
      </ul>
    </Section>
  )
}

interface RowProps {
  approval: Approval
  onDecide(id: number, approved: boolean): Promise<void>
}

function ApprovalRow({ approval, onDecide }: RowProps) {
  const access = accessWords()
  const { id, operation, request } = approval
  const { method, path, body } = request
  return (
    <li class="approval">
      <p>
        <b>{operation}</b>
        <span class="thing-badge">{access.approvalStates[approval.state]}</span>
      </p>
      <p class="quiet">
        {access.approvalBy(
          personAt(approval.user_id).name,
          approval.token_name ?? access.noName,
          formatMoment(approval.created_at),
        )}
      </p>
      <section class="approval-request" aria-label={access.approvalRequest(operation)}>
        {`${method} ${path}\n${body === null ? '' : JSON.stringify(body, null, 2)}`.trimEnd()}
      </section>
      {approval.state === 'pending' && (
        <div class="settings-end">
          <Button look="main" onClick={() => void onDecide(id, true)}>
            {access.approve}
          </Button>
          <Button onClick={() => void onDecide(id, false)}>{access.refuse}</Button>
        </div>
      )}
    </li>
  )
}
