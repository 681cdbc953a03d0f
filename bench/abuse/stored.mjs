// Attacks on what is stored: texts that were removed, secrets in kept answers, card numbers, files, and what templates can see.

const LARGE = 30_000
const DOWNLOAD_MS = 15_000

async function count(db, text, values = []) {
  const { rows } = await db.query(text, values)
  return Number(rows[0].count)
}

/** The events that the live stream replays from its start. */
async function replay(url, token) {
  const answer = await fetch(`${url}/v1/live`, {
    headers: { Authorization: `Bearer ${token}`, 'Last-Event-ID': '1' },
    signal: AbortSignal.timeout(3_000),
  })
  let text = ''
  try {
    for await (const part of answer.body) text += Buffer.from(part).toString()
  } catch {
    // The time is over.
  }
  return text
}

export function storedAttacks(stage) {
  const { send, db, url, member, session, room, botToken, inbound, closedInbound, closedBot, card } = stage
  let number = 0
  const tokens = []
  const nextKey = () => {
    number += 1
    return { 'Idempotency-Key': `${'k'.repeat(200)}-${number}` }
  }

  async function upload(name, content) {
    const { body, status } = await send('POST', '/uploads', { token: member })
    if (status !== 201) return []
    const { direct_url, ...fields } = body.data ?? body
    const post = (file) => send('POST', direct_url, { form: { ...fields, file: new File([content], file) } })
    return { first: await post(name), second: await post(`other-${name}`) }
  }

  return {
    'texts that are edited and deleted': {
      must: 'no text is kept that its message no longer has',
      async round() {
        for (const last of ['PUT', 'DELETE']) {
          const message = { entity_id: room, content: 'REMOVED-CONTENT' }
          const { body } = await send('POST', '/messages', { token: member, body: { message } })
          const id = body?.data?.id
          if (!id) continue
          await send(last, `/messages/${id}`, {
            token: member,
            body: last === 'PUT' ? { message: { content: 'harmless' } } : undefined,
          })
        }
      },
      async after() {
        const kept = await count(
          db,
          `select count(*) from (select payload::text from events union all select payload from deliveries
             union all select payload from queued_events union all select payload::text || reason from set_aside_events
             union all select content from messages) k (text)
           where text like '%REMOVED-CONTENT%'`,
        )
        if (kept > 0) return `${kept} removed texts are kept`
        return (await replay(url, session)).includes('REMOVED-CONTENT') ? 'the live stream tells one' : null
      },
    },
    'secrets under an idempotency key': {
      must: 'a repeated request gets the same token, and the database holds none',
      async round() {
        const call = {
          token: session,
          body: { name: 'abuse', scopes: ['chats:read'] },
          headers: nextKey(),
        }
        const first = await send('POST', '/personal_tokens', call)
        const again = await send('POST', '/personal_tokens', call)
        const text = JSON.stringify(first.body)
        const [token] = /[\w-]{40,}/.exec(text) ?? []
        if (first.status !== 201 || !token) return stage.fault(`${first.status} without a token`)
        if (again.status < 500 && JSON.stringify(again.body) !== text)
          stage.fault('another answer the second time')
        tokens.push(token)
      },
      async after() {
        if (tokens.length === 0) return 'no token was made'
        const plain = await count(
          db,
          `select count(*) from idempotency_keys, unnest($1::text[]) as t (token)
           where position(convert_to(token, 'UTF8') in sealed_answer) > 0 or key like '%' || token || '%'`,
          [tokens],
        )
        return plain > 0 ? `${plain} answers hold a token in clear` : null
      },
    },
    'many idempotency keys with large bodies': {
      must: 'each request is done once',
      round: () =>
        Promise.all(
          Array.from({ length: 10 }, async () => {
            const content = 'x'.repeat(LARGE)
            const call = { token: member, body: { task: { kind: 'reminder', content } }, headers: nextKey() }
            const answers = [await send('POST', '/tasks', call), await send('POST', '/tasks', call)]
            const [first, again] = answers.map(({ body }) => body?.data?.id)
            if (first && again && first !== again) stage.fault('one key made two tasks')
          }),
        ),
      async after() {
        const refused = await send('POST', '/tasks', {
          token: member,
          body: { task: { kind: 'reminder' } },
          headers: { 'Idempotency-Key': 'k'.repeat(300) },
        })
        return refused.status === 400 ? null : `a key of 300 characters was answered ${refused.status}`
      },
    },
    'card numbers in buttons, names and tasks': {
      must: 'no card number is stored',
      async round() {
        const button = [[{ text: card, url: 'https://example.org' }]]
        const messages = [{ buttons: button }, { display_name: card }]
        for (const more of messages)
          await send('POST', '/messages', {
            token: botToken,
            body: { message: { entity_id: room, content: 'pay', ...more } },
          })
        await send('POST', '/tasks', { token: member, body: { task: { kind: 'reminder', content: card } } })
      },
      async after() {
        const stored = await count(
          db,
          `select count(*) from (select concat_ws(' ', content, buttons::text, display_name) from messages
             union all select content from tasks) k (text) where text like '%' || $1 || '%'`,
          [card],
        )
        return stored > 0 ? `${stored} card numbers are stored` : null
      },
    },
    'two files with one upload form': {
      must: 'the second file is refused',
      async round() {
        const { first, second } = await upload('a.txt', 'one')
        if (first?.status === 204 && second.status < 500 && second.status !== 403)
          stage.fault(`the second file was answered ${second.status}`)
      },
    },
    'downloads beside large pictures': {
      must: 'they are not held up',
      within_ms: DOWNLOAD_MS,
      round: () => send('GET', stage.download, { expect: [200] }),
    },
    'templates that reach for what objects inherit': {
      must: 'they see nothing but the posted data',
      round: () => send('POST', closedInbound, { root: true, body: { list: [1] } }),
      async after() {
        const { rows } = await db.query('select distinct content from messages where user_id = $1', [
          closedBot,
        ])
        if (rows.length === 0) return 'nothing was posted'
        return rows.every(({ content }) => content === '[1]')
          ? null
          : `posted ${rows.map(({ content }) => content)}`
      },
    },
    'events that wait': {
      must: 'every event is placed and none set aside',
      round: () => send('POST', inbound, { root: true, body: { message: 'last' } }),
      async after() {
        for (let tries = 0; tries < 240; tries += 1) {
          const waiting = await count(db, 'select count(*) from waiting_events')
          if (waiting === 0) break
          await new Promise((resolve) => setTimeout(resolve, 250))
        }
        const waiting = await count(db, 'select count(*) from waiting_events')
        const aside = await count(db, 'select count(*) from set_aside_events')
        return waiting + aside > 0 ? `${waiting} events wait and ${aside} are set aside` : null
      },
    },
  }
}
