// Writers plan messages for the next seconds; each must be sent once, whichever process dies.

export function startPlanning({ caller, random, cast }) {
  const planned = new Map()
  const refused = []
  let planning = true

  async function plan(writer, n) {
    const room = cast.rooms[Math.floor(random() * cast.rooms.length)]
    const content = `planned-${writer.name}-${n}`
    const start_date = new Date(Date.now() + 2000 + random() * 6000).toISOString()
    const draft = {
      entity_type: 'discussion',
      entity_id: room,
      content,
      schedule: { start_date, repetition: { interval: 'once' } },
    }
    const { status, body } = await caller.surely('POST', '/drafts', {
      token: writer.token,
      key: content,
      body: { draft },
    })
    if (status === 201) planned.set(content, start_date)
    // One that was answered too late to be planned at all is no fault: its time had passed.
    else if (body?.errors?.[0]?.code !== 'next_send_at_invalid') refused.push({ content, status, body })
  }

  const loops = cast.writers.slice(0, 2).map(async (writer) => {
    for (let n = 0; planning; n += 1) {
      await plan(writer, n)
      await new Promise((resolve) => setTimeout(resolve, 200 + random() * 500))
    }
  })
  return {
    planned,
    refused,
    async stop() {
      planning = false
      await Promise.all(loops)
    },
  }
}
