// Prints the kinds of events and jobs as docs/events.md.
import { writeFileSync } from 'node:fs'
import { eventsPage } from '@parley/contract'

writeFileSync(new URL('../docs/events.md', import.meta.url), eventsPage())
