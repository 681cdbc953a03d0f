// The requests that writers and readers send.
import { randomFrom, sentence, wordOf } from './words.mjs'

const TOKENS = 200
const API = '/v1'
const FILE_BYTES = 50_000

export const active = ({ writers }) => writers.slice(0, TOKENS)
const text = (random) => sentence(random, 120)

export function posts(stage, roomsOf = (writer) => writer.rooms) {
  const random = randomFrom(3)
  return active(stage).flatMap((writer) =>
    roomsOf(writer).map((entity_id) => ({
      method: 'POST',
      path: `${API}/messages`,
      token: writer.token,
      body: { message: { entity_id, content: text(random) } },
    })),
  )
}

const get = (path, token) => ({ method: 'GET', path: API + path, token })

export const latestPages = (stage, limit = 50) =>
  active(stage).flatMap(({ rooms, token }) =>
    rooms.map((id) => get(`/messages?chat_id=${id}&limit=${limit}`, token)),
  )
export const chatLists = (stage) => active(stage).map(({ token }) => get('/chats', token))
export const singleChats = (stage) =>
  active(stage).flatMap(({ rooms, token }) => rooms.map((id) => get(`/chats/${id}`, token)))
export const userLists = (stage) => active(stage).map(({ token }) => get('/users', token))
export const profiles = (stage) => active(stage).map(({ token }) => get('/profile', token))
export const starts = (stage) => active(stage).map(({ session }) => get('/start', session))
export const unreadLists = (stage) => active(stage).map(({ session }) => get('/unread', session))
export const timelines = (stage) =>
  active(stage).flatMap(({ rooms, session }) => rooms.map((id) => get(`/chats/${id}/timeline`, session)))

export const uploadForms = (stage) =>
  active(stage).map(({ token }) => ({ method: 'POST', path: `${API}/uploads`, token }))

/** Forms that were asked for before, each with a file. */
export async function uploads(stage, url) {
  const ask = async ({ method, path, token }) => {
    const answer = await fetch(url + path, { method, headers: { Authorization: `Bearer ${token}` } })
    const { direct_url, ...fields } = await answer.json()
    return { method: 'POST', path: new URL(direct_url).pathname, form: { fields, bytes: FILE_BYTES } }
  }
  return Promise.all(uploadForms(stage).map(ask))
}

/** Words from the tenth to the five thousandth place, alone and in pairs. */
export function searches(stage) {
  const random = randomFrom(11)
  const word = () => wordOf(Math.floor(10 * 500 ** random()))
  return active(stage).flatMap(({ token }, n) => {
    const query = n % 2 ? word() : `${word()} ${word()}`
    return [get(`/search/messages?query=${encodeURIComponent(query)}&limit=20`, token)]
  })
}

async function readPage(url, path, token) {
  const answer = await fetch(url + API + path, { headers: { Authorization: `Bearer ${token}` } })
  return answer.json()
}

/** Pages of the past, found by following cursors: of the hall, which everybody is in, and of a room for each reader. */
export async function deepPages(stage, url, { readers = 40, pages = 8 } = {}) {
  const found = []
  const follow = async (writer, chat) => {
    const first = `/messages?chat_id=${chat}&limit=50`
    let path = first
    for (let page = 0; page < pages; page += 1) {
      const { data, meta } = await readPage(url, path, writer.token)
      if (!meta.paginate.has_next) break
      path = `${first}&cursor=${encodeURIComponent(meta.paginate.next_page)}`
      if (page > 0 || pages === 1)
        found.push({ ...get(path, writer.token), row: [chat, data.at(-1).id, writer.id] })
    }
  }
  for (const [n, writer] of active(stage).slice(0, readers).entries()) {
    await follow(writer, stage.hall)
    await follow(writer, writer.rooms[n % writer.rooms.length])
  }
  return found
}
