#!/usr/bin/env node
import { pathToFileURL } from 'node:url'
import { findProgram } from './find-program.js'
import { keepCompiledCode } from './keep-compiled-code.js'

// Runs the simulator. `makola start` starts this file.
keepCompiledCode()
await import(pathToFileURL(findProgram('simulator')).href)
