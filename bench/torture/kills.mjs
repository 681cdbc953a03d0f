// The reaper: every so often somebody dies, a server more often than the database.

export async function kill({ cluster, random, kills, until, say }) {
  const done = { servers: 0, database: 0 }
  let count = 0
  while (count < kills && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 400 + random() * 1600))
    const database = random() < 0.12
    const server = Math.floor(random() * cluster.urls.length)
    // Whoever has just died and is not back yet is spared.
    const died = database ? cluster.killDatabase() : await cluster.killServer(server)
    if (!died) continue
    count += 1
    done[database ? 'database' : 'servers'] += 1
    say(`kill ${count}: ${database ? 'the database' : `server ${server}`}`)
  }
  return done
}
