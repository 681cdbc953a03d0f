/** One server-sent event. */
export interface ServerSentEvent {
  id: string | null
  event: string
  data: string
}

/**
 * Reads server-sent events out of pieces of text. A comment is a sign of life and comes as an event without a name.
 * The browser's EventSource hides comments and cannot say where to resume, so that the stream is read by hand.
 */
export function readEvents(onEvent: (event: ServerSentEvent) => void): (piece: string) => void {
  let rest = ''
  return (piece) => {
    const frames = (rest + piece).replaceAll('\r\n', '\n').split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) onEvent(readEvent(frame))
  }
}

function readEvent(frame: string): ServerSentEvent {
  const found: ServerSentEvent = { id: null, event: '', data: '' }
  for (const line of frame.split('\n')) {
    const at = line.indexOf(':')
    if (at < 1) continue
    const value = line.slice(line[at + 1] === ' ' ? at + 2 : at + 1)
    const field = line.slice(0, at)
    if (field === 'id') found.id = value
    else if (field === 'event') found.event = value
    else if (field === 'data') found.data += found.data === '' ? value : `\n${value}`
  }
  return found
}
