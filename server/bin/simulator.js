#!/usr/bin/env node
import { pathToFileURL } from 'node:url'
import { findProgram } from './find-program.js'
import { keepCompiledCode } from './keep-compiled-code.js'

// The simulator, as `makola start` starts it.
keepCompiledCode()
await import(pathToFileURL(findProgram('simulator')).href)
