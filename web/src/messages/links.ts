/** The address where a browser may go from here: of the web alone, never a script or a document in itself. */
export function webAddress(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { protocol, href } = new URL(url)
  return protocol === 'http:' || protocol === 'https:' ? href : null
}

/** The host of an address, in the form that cannot be mistaken for another one. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

/** The address of a picture that lies here; the content policy loads none from other hosts, who would learn who reads. */
export function ownPicture(url: string): string | null {
  return URL.canParse(url, location.href) && new URL(url, location.href).origin === location.origin
    ? url
    : null
}
