import { ForwardHost } from './forward-dialog.js'
import { LightboxHost } from './lightbox.js'
import { ReactorsHost } from './reactors-dialog.js'
import { ReadersHost } from './readers-dialog.js'

/** What opens over the chat for a message: its pictures, its readers, who reacted, and forwarding it. */
export function MediaHost() {
  return (
    <>
      <LightboxHost />
      <ForwardHost />
      <ReadersHost />
      <ReactorsHost />
    </>
  )
}
