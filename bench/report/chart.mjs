// A chart of bars, as SVG text without any library.

const plain = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const ROW = 26
const LABEL = 330
const WIDTH = 900

/** Groups of bars: each `{ title, unit, bars: [{ label, value, ours }] }` on a scale of its own. */
export function chart(heading, groups, footer) {
  const parts = []
  let y = 56
  for (const { title, unit, bars } of groups) {
    parts.push(`<text x="16" y="${y}" class="title">${plain(title)}</text>`)
    y += 10
    const most = Math.max(...bars.map(({ value }) => value))
    for (const { label, value, ours } of bars) {
      const width = Math.max(2, ((WIDTH - LABEL - 130) * value) / most)
      const text = `${Math.round(value).toLocaleString('en').replaceAll(',', ' ')} ${unit}`
      parts.push(
        `<text x="${LABEL - 10}" y="${y + 17}" text-anchor="end">${plain(label)}</text>`,
        `<rect x="${LABEL}" y="${y + 4}" width="${width.toFixed(1)}" height="17" rx="2" class="${ours ? 'ours' : 'theirs'}"/>`,
        `<text x="${LABEL + width + 8}" y="${y + 17}">${text}</text>`,
      )
      y += ROW
    }
    y += 26
  }
  const foot = footer.map((line, n) => `<text x="16" y="${y + n * 18}" class="foot">${plain(line)}</text>`)
  const height = y + footer.length * 18 + 8
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="13">
<title>${plain(heading)}</title>
<style>.title{font-weight:600;font-size:14px}.ours{fill:#2f6fdb}.theirs{fill:#b9c2cf}.foot{fill:#667;font-size:11px}</style>
<rect width="100%" height="100%" fill="#fff"/>
<text x="16" y="28" font-size="18" font-weight="600">${plain(heading)}</text>
${parts.join('\n')}
${foot.join('\n')}
</svg>
`
}
