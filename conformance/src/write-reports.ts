import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { jsonReport, type Report } from './report.js'
import { htmlReport } from './report-html.js'
import { junitReport } from './report-junit.js'

const KINDS: Record<string, (report: Report) => string> = {
  '.xml': junitReport,
  '.html': htmlReport,
  '.json': jsonReport,
}

/** A file gets the report of its ending; a folder gets all of them. */
export function filesFor(path: string): string[] {
  if (extname(path) in KINDS) return [path]
  return ['junit.xml', 'report.html', 'report.json'].map((name) => join(path, name))
}

export function writeReports(report: Report, paths: readonly string[]): string[] {
  const files = paths.flatMap(filesFor)
  for (const file of files) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, (KINDS[extname(file)] as (report: Report) => string)(report))
  }
  return files
}
