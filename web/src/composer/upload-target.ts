/** Where the server takes uploads that it stores itself; a storage beside it has no such path. */
const OWN = /^https?:\/\/[^/]+(\/storage\/uploads)$/

/**
 * Where the form of an upload is sent. To the server's own storage it goes as the page came: the public address may be another
 * name of the same machine, `127.0.0.1` where somebody opened `localhost`, and browsers would refuse it.
 */
export function uploadTarget(directUrl: string): string {
  return directUrl.replace(OWN, '$1')
}

/** The name under which a file is sent: of a name with slashes or control characters the server takes none. */
export function uploadName(name: string): string {
  return name.replaceAll(/[/\\\p{Cc}\p{Surrogate}\u2028\u2029]/gu, '_')
}

/** The key under which the storage keeps it. */
export function uploadKey(key: string, name: string): string {
  return key.replace('${filename}', () => name)
}
