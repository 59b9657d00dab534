#!/usr/bin/env node
import module from 'node:module'
import { pathToFileURL } from 'node:url'
import { findProgram } from './find-program.js'

// The simulator, as `makola start` starts it. Like `makola.js` it keeps compiled code between runs.
module.enableCompileCache?.()
await import(pathToFileURL(findProgram('simulator')).href)
