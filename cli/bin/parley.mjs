#!/usr/bin/env -S node --max-semi-space-size=32 --no-parallel-scavenge --v8-pool-size=1
// The command works right after `npm ci`: what is not built yet is built first.
import { existsSync } from 'node:fs'
import { needNode } from './need-node.mjs'

needNode()
const main = new URL('../dist/main.js', import.meta.url)
if (!existsSync(main)) await import('../../scripts/build.mjs')
await import(main.href)
