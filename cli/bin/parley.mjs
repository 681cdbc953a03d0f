#!/usr/bin/env -S node --max-semi-space-size=8
// The command works right after `npm ci`: what is not built yet is built first.
import { existsSync } from 'node:fs'

const main = new URL('../dist/main.js', import.meta.url)
if (!existsSync(main)) await import('../../scripts/build.mjs')
await import(main.href)
