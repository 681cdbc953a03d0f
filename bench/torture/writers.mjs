// Writers send, some with a key and until they are answered, some once and for better or worse; and edit what they sent.

/** What became of every text: `answered` has its id, `unknown` may or may not be there. */
export function startWriting({ caller, random, cast }) {
  const answered = new Map()
  const unknown = new Set()
  const edited = new Map()
  const refused = []
  let writing = true

  async function send(writer, n) {
    const room = cast.rooms[Math.floor(random() * cast.rooms.length)]
    const content = `${writer.name}-${n}`
    const keyed = random() < 0.4
    const input = {
      token: writer.token,
      body: { message: { entity_id: room, content } },
      ...(keyed ? { key: content } : {}),
    }
    const call = keyed ? caller.surely : caller.once
    const { status, body } = await call('POST', '/messages', input)
    if (status === 201) answered.set(content, { id: body.data.id, room, writer })
    else if (status === 0 || status >= 500) unknown.add(content)
    else refused.push({ content, status, body })
  }

  async function edit(writer, n) {
    const mine = [...answered].filter(([, sent]) => sent.writer === writer && !edited.has(sent.id))
    if (mine.length === 0) return
    const [content, { id }] = mine[Math.floor(random() * mine.length)]
    const body = { message: { content: `${content} edited` } }
    const { status } = await caller.surely('PUT', `/messages/${id}`, {
      token: writer.token,
      body,
      key: `edit-${n}`,
    })
    if (status === 200) edited.set(id, `${content} edited`)
    else refused.push({ content, status })
  }

  const loops = cast.writers.map(async (writer) => {
    for (let n = 0; writing; n += 1) {
      if (random() < 0.1) await edit(writer, n)
      else await send(writer, n)
      await new Promise((resolve) => setTimeout(resolve, random() * 30))
    }
  })
  return {
    answered,
    unknown,
    edited,
    refused,
    async stop() {
      writing = false
      await Promise.all(loops)
    },
  }
}
