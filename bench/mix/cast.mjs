// Who acts: people of every role, each with a token of every scope and a login, and two bots.
import { BOT_EVENT_NAMES } from '../../contract/dist/event-names.js'
import { SCOPE_NAMES, SCOPES } from '../../contract/dist/index.js'

const BOT_SCOPES = SCOPE_NAMES.filter((name) => SCOPES[name].includes('bot'))

export async function openCast({ control_url, owner_id, owner_token }, { calls, known, receiver }) {
  const control = async (path, body) => {
    const answer = await fetch(`${control_url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body ?? {}),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.status === 204 ? undefined : (await answer.json().catch(() => ({}))).data
  }
  await control('/limits', { enabled: false })
  const withSession = async (one) => {
    const { token } = await control('/tokens', { user_id: one.id, session: true })
    return { ...one, session: { ...one, token } }
  }
  const people = [await withSession({ id: owner_id, token: owner_token, role: 'owner' })]
  for (const role of ['admin', 'user', 'user', 'user', 'user', 'multi_guest']) {
    const one = await control('/users', { role, nickname: `${role}${people.length}` })
    people.push(await withSession({ ...one, role, nickname: `${role}${people.length}` }))
  }
  const bots = []
  for (const n of [0, 1, 2]) {
    const webhook = {
      name: `Bot ${n}`,
      events: [...BOT_EVENT_NAMES],
      scopes: BOT_SCOPES,
      trigger_on: 'all_messages',
      who_can_add: 'anyone',
      ...(n === 0 ? { events_history_enabled: true } : { outgoing_url: receiver.urlOf(n) }),
    }
    const { data, status, text } = await calls.call(people[0], 'POST', '/bots', { webhook })
    if (!data) throw new Error(`a bot was refused: ${status} ${text}`)
    bots.push({ id: data.id, role: 'bot', token: data.access_token, number: n })
  }
  for (const one of [...people, ...bots]) known.add('user', one.id)
  return { people, bots, control, withSession }
}
