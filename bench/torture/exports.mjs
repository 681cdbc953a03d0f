// The owner orders archives of the day, as often as the server allows, while builders are killed under them.

const AGAIN_MS = 95_000

export function startExporting({ caller, token, webhook_url }) {
  const refused = []
  let ordered = 0
  let exporting = true
  let wake = () => {}

  const loop = (async () => {
    while (exporting) {
      const today = new Date().toISOString().slice(0, 10)
      const body = { start_at: today, end_at: today, webhook_url }
      const key = `export-${ordered}`
      const answer = await caller.surely('POST', '/chats/exports', { token, key, body })
      if (answer.status === 204) ordered += 1
      else refused.push(answer)
      await new Promise((resolve) => {
        wake = resolve
        setTimeout(resolve, AGAIN_MS).unref()
      })
    }
  })()
  return {
    refused,
    ordered: () => ordered,
    async stop() {
      exporting = false
      wake()
      await loop
    },
  }
}
