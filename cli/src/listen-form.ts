interface Form {
  view_id: string
  submit_id: string
}

export function isForm(payload: object): payload is Form {
  return 'view_id' in payload && 'submit_id' in payload
}

function readErrors(body: string): object | undefined {
  try {
    const { errors } = JSON.parse(body) as { errors?: unknown }
    return typeof errors === 'object' && errors !== null ? errors : undefined
  } catch {
    return undefined
  }
}

/**
 * Passes the answer of the program on to the person in front of the form: 2xx closes it, 400 with errors shows them under their
 * fields. As with a webhook, everything else is no answer. Says what became of it.
 */
export async function answerForm(
  { url }: { url: string },
  token: string,
  { view_id, submit_id }: Form,
  { status, body }: { status: number; body: string },
): Promise<string> {
  const taken = status >= 200 && status < 300
  const errors = status === 400 ? readErrors(body) : undefined
  if (!taken && !errors) return 'the form is not answered'
  const answer = await fetch(`${url}/v1/views/${encodeURIComponent(view_id)}/submit_response`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ submit_id, ...(errors && { errors }) }),
  })
  if (!answer.ok)
    return `the server refused the answer to the form with ${answer.status}: ${await answer.text()}`
  return taken ? 'the form is closed' : 'the form shows the errors'
}
