/** How many uploads are running. They end with the page. */
let runningCount = 0
export const countUploads = () => runningCount

const askToStay = (event: BeforeUnloadEvent) => event.preventDefault()

/** The browser asks before the page is closed or reloaded while this runs. */
export async function heldOpen<T>(uploading: Promise<T>): Promise<T> {
  runningCount += 1
  addEventListener('beforeunload', askToStay)
  try {
    return await uploading
  } finally {
    runningCount -= 1
    if (runningCount === 0) removeEventListener('beforeunload', askToStay)
  }
}
