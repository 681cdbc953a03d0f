/** The image library, loaded with the first picture: a server that never sees one does not carry it. */
export async function loadLibrary() {
  const { default: sharp } = await import('sharp')
  // Pictures are read once: a cache of decoded ones would only hold memory.
  sharp.cache(false)
  return sharp
}
