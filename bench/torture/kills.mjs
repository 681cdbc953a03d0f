// The reaper: every so often somebody dies, a server more often than the database.

export async function kill({ cluster, random, kills, until, say }) {
  const done = { servers: 0, database: 0 }
  for (let n = 0; n < kills && performance.now() < until; n += 1) {
    await new Promise((resolve) => setTimeout(resolve, 400 + random() * 1600))
    const place = random()
    if (place < 0.12) {
      cluster.killDatabase()
      done.database += 1
      say(`kill ${n + 1}: the database`)
      continue
    }
    const server = Math.floor(random() * cluster.urls.length)
    // One that has just died and is not back yet is spared.
    if (await cluster.killServer(server)) {
      done.servers += 1
      say(`kill ${n + 1}: server ${server}`)
    } else n -= 1
  }
  return done
}
