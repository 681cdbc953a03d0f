import type { ServerContext } from '@modelcontextprotocol/server'
import type { Context } from '../platform/context.js'
import { findApprovalState } from '../platform/http/approval-queries.js'
import type { Called } from './call.js'
import type { Library } from './library.js'
import { presentResult } from './present.js'

/** The name of the question among the inputs that a call asks for. */
const QUESTION = 'approval'
const MESSAGE = 'This needs your approval: decide on the page that opens, and this program goes on.'
/** How long a repeated call waits for the decision, and how often it looks. */
const WAIT_MS = 25_000
const LOOK_EVERY_MS = 250

/** The question that waits for a person, where that is why a call was refused. */
function questionOf({ status, body }: Called): number | undefined {
  const { explanation } = (body ?? {}) as { explanation?: { rule: string; needs: { approval_id?: number } } }
  return status === 403 && explanation?.rule === 'token.limits.approval'
    ? explanation.needs.approval_id
    : undefined
}

/** Only the page decides: what a client says of its person is no proof, because the client is what the limits hold back. */
async function waitForDecision({ db }: Context, id: number, signal: AbortSignal) {
  const until = performance.now() + WAIT_MS
  while (!signal.aborted && performance.now() < until) {
    if ((await findApprovalState(db, id)) !== 'pending') return
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

/**
 * Calls an operation. Where the limits of the token ask for a person and the client can show an address, it is asked to open the
 * page of approvals; it repeats the call then, which goes on once the person has decided.
 */
export async function callWithApproval(
  { inputRequired, inputResponse }: Library,
  ctx: Context,
  { mcpReq }: ServerContext,
  canOpen: boolean,
  call: () => Promise<Called>,
) {
  const called = await call()
  const id = questionOf(called)
  if (id === undefined || !canOpen || (await findApprovalState(ctx.db, id)) !== 'pending')
    return presentResult(called)
  const answer = inputResponse(mcpReq.inputResponses, QUESTION)
  if (answer.kind !== 'elicit') {
    const page = `${ctx.config.app_url}/settings/approvals`
    return inputRequired({
      inputRequests: { [QUESTION]: inputRequired.elicitUrl({ message: MESSAGE, url: page }) },
    })
  }
  if (answer.action !== 'accept') return presentResult(called)
  await waitForDecision(ctx, id, mcpReq.signal)
  return presentResult(await call())
}
