// A manager moves people in and out of clubs, and a bot in and out of a room, one change at a time.

export function startMoving({ caller, random, cast }) {
  const rosters = new Map(cast.clubs.map((club) => [club, new Set([cast.manager.id])]))
  const refused = []
  let moving = true
  let changes = 0
  const { token } = cast.manager

  async function change(chat, user, add) {
    changes += 1
    const key = `move-${chat}-${changes}`
    const { status, body } = add
      ? await caller.surely('POST', `/chats/${chat}/members`, { token, key, body: { member_ids: [user] } })
      : await caller.surely('DELETE', `/chats/${chat}/members/${user}`, { token, key })
    if (status >= 300) refused.push({ chat, user, add, status, body })
    return status < 300
  }

  const clubs = cast.clubs.map(async (club) => {
    const roster = rosters.get(club)
    while (moving) {
      const { id } = cast.guests[Math.floor(random() * cast.guests.length)]
      const add = !roster.has(id)
      if (await change(club, id, add)) add ? roster.add(id) : roster.delete(id)
      await new Promise((resolve) => setTimeout(resolve, 20 + random() * 100))
    }
  })
  const roving = (async () => {
    for (let add = true; moving; add = !add) {
      await change(cast.rooms[1], cast.roving, add)
      await new Promise((resolve) => setTimeout(resolve, 200 + random() * 600))
    }
  })()
  return {
    rosters,
    refused,
    changes: () => changes,
    async stop() {
      moving = false
      await Promise.all([...clubs, roving])
    },
  }
}
