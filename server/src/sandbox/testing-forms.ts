import { NotFound, type Parley, ServerFailure } from '@parley/sdk'

type Control = Pick<Parley['sandbox'], 'moveClock' | 'submit'>

const LOOK_AGAIN_MS = 20

/** Stops the clock meanwhile: a press opens a form for three seconds, which on a busy machine are over too soon. */
export async function inOneMoment<T>({ moveClock }: Control, act: () => Promise<T>): Promise<T> {
  await moveClock({ freeze: true })
  try {
    return await act()
  } finally {
    await moveClock({ freeze: false })
  }
}

/** Sends the form that is open for somebody, once it is, and again where its bot was late; gives the answer or the refusal. */
export async function fillIn(control: Control, user_id: number, data: Record<string, string>) {
  for (;;) {
    const answer = await control.submit({ user_id, data }).catch((error) => error)
    if (!(answer instanceof NotFound || answer instanceof ServerFailure)) return answer
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}
