#!/usr/bin/env node
import { existsSync } from 'node:fs'

// A package has the built program. In the repository the sources run as they are.
const built = new URL('../dist/conformance.js', import.meta.url)
await import(existsSync(built) ? built.href : new URL('../src/conformance.ts', import.meta.url).href)
