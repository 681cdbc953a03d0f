// Every server in turn is told to stop, and started again, as when a new version is rolled out.

export async function roll({ cluster, random, kills, until, say }) {
  let restarts = 0
  while (restarts < kills && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 200 + random() * 800))
    const server = restarts % cluster.urls.length
    await cluster.restartServer(server)
    restarts += 1
    say(`restart ${restarts}: server ${server}`)
  }
  return { restarts }
}
