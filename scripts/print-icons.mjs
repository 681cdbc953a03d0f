// Makes the icons of the web client of web/public/icon.svg: PNGs for the manifest, for phones and for notifications, and the
// icon of a tab with something unread. Run it after a change of the picture: `node scripts/print-icons.mjs`.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const sharp = createRequire(new URL('../server/package.json', import.meta.url))('sharp')
const folder = fileURLToPath(new URL('../web/public/', import.meta.url))
const icon = readFileSync(join(folder, 'icon.svg'), 'utf8')
const ROUNDED = 'rx="9.5" '
const DOT = '<circle cx="24" cy="6" r="5.5" fill="#d8442f" stroke="#fff" stroke-width="1.5"/>'

/** Systems cut the corners themselves, and up to a fifth of each side. */
const whole = icon.replace(ROUNDED, '')
const maskable = whole
  .replace('viewBox="0 0 30 30"', 'viewBox="-4.5 -4.5 39 39"')
  .replace('<rect width="30" height="30"', '<rect x="-4.5" y="-4.5" width="39" height="39"')
/** Phones draw it in one colour: the shapes alone, on nothing. */
const badge = icon.replace(/<rect [^>]*\/>/, '')

async function write(name, svg, size) {
  const png = await sharp(Buffer.from(svg), { density: (72 * size) / 30 })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true })
    .toBuffer()
  writeFileSync(join(folder, name), png)
}

await write('icon-192.png', icon, 192)
await write('icon-512.png', icon, 512)
await write('icon-maskable-512.png', maskable, 512)
await write('icon-touch-180.png', whole, 180)
await write('badge-96.png', badge, 96)
writeFileSync(join(folder, 'icon-unread.svg'), icon.replace('</svg>', `${DOT}</svg>`))
