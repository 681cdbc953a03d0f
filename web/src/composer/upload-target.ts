/** Where the server takes uploads that it stores itself; a storage beside it has no such path. */
const OWN = /^https?:\/\/[^/]+(\/storage\/uploads)$/

/**
 * Where the form of an upload is sent. To the server's own storage it goes as the page came: the public address may be another
 * name of the same machine, `127.0.0.1` where somebody opened `localhost`, and browsers would refuse it.
 */
export function uploadTarget(directUrl: string): string {
  return directUrl.replace(OWN, '$1')
}
