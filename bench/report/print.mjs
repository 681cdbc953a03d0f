// Tables in Markdown, so that what is printed can be put into a document as it is.

export function table(heads, rows) {
  const widths = heads.map((head, n) => Math.max(head.length, ...rows.map((row) => String(row[n]).length)))
  const line = (cells) => `| ${cells.map((cell, n) => String(cell).padEnd(widths[n])).join(' | ')} |`
  return [line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

export function goalTable(rows) {
  return table(
    ['figure', 'measured', 'beside it, in the same run', 'goal', 'met'],
    rows.map(({ figure, value, beside, goal, met, calm, foreign }) => [
      figure,
      value + (calm ? '' : ` (disturbed: ${foreign} % of a core was others')`),
      beside,
      goal,
      value === 'skipped' ? '–' : met ? 'yes' : 'NO',
    ]),
  )
}

/** CPU time for one request, by process. */
export function cpuTable(figures) {
  const entries = Object.entries(figures).filter(([, entry]) => entry?.cpu_us)
  const us = (value) => (value === undefined ? '' : Math.round(value))
  return table(
    ['contender', '/s', 'server µs', 'database µs', 'bare µs', 'load µs', 'slices', 'thrown', 'others %'],
    entries.map(([name, entry]) => [
      name,
      Math.round(entry.per_second),
      us(entry.cpu_us.server),
      us(entry.cpu_us.database),
      us(entry.cpu_us.bare ?? entry.cpu_us.receiver),
      us(entry.cpu_us.load),
      entry.slices,
      entry.thrown,
      Math.round(entry.foreign * 100),
    ]),
  )
}
