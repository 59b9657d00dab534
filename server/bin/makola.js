#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findProgram } from './find-program.js'
import { keepCompiledCode } from './keep-compiled-code.js'
import { memoryEnvironment, nodeOptionsOfRoles } from './node-options.js'

/** The first version of Node that runs TypeScript without a build. */
const nodeVersionMin = 24

/** Ctrl-C may arrive more than once, from the terminal and from npm: a second wish comes later. */
const oneWishMilliseconds = 500
const killMilliseconds = 1_000

/** The options that the process of this command should have and was not given, by its parent or by the operator. */
function missingNodeOptions() {
  const role = process.argv.slice(2).find((word) => !word.startsWith('-')) ?? ''
  const wanted = Object.hasOwn(nodeOptionsOfRoles, role) ? nodeOptionsOfRoles[role] : []
  // V8 also accepts its options written with underscores.
  const given = `${process.execArgv.join(' ')} ${process.env['NODE_OPTIONS'] ?? ''}`.replaceAll('_', '-')
  return wanted.filter((option) => !given.includes(option.split('=')[0]))
}

/**
 * Puts the same program with the missing options into the place of this process, which keeps its number. A process with
 * a channel to its parent would lose it, but such a parent gave the options.
 */
function restartWithNodeOptions() {
  const missing = missingNodeOptions()
  if (missing.length === 0 || process.channel !== undefined || process.execve === undefined) return
  const words = [...missing, ...process.execArgv, ...process.argv.slice(1)]
  try {
    process.execve(process.execPath, [process.execPath, ...words], { ...memoryEnvironment, ...process.env })
  } catch {
    // Windows cannot replace a process. Then this process goes on, and only takes more memory.
  }
}

/**
 * Runs this file again on the Node that came with the installation, because the one on the PATH is
 * too old. Signals and the exit code are passed on; the channel tells the new process when this one is killed.
 */
function runAgainOnPackagedNode() {
  let node
  try {
    node = createRequire(import.meta.url).resolve('node/bin/node')
  } catch {
    console.error(
      `makola: Node ${nodeVersionMin} or newer is needed, this is ${process.version}. Run \`npm ci\`, which installs it.`,
    )
    process.exit(1)
  }
  const child = spawn(node, [...missingNodeOptions(), fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...memoryEnvironment, ...process.env },
  })
  // Ctrl-C reaches the new process by itself; a role that has a parent waits for that parent's word to stop.
  process.on('SIGINT', () => pass('SIGTERM'))
  process.on('SIGTERM', () => pass('SIGTERM'))
  process.on('SIGHUP', () => pass('SIGHUP'))
  let firstAt
  /** The new process ends at a second signal by itself; should it be past hearing, it is killed. */
  function pass(signal) {
    firstAt ??= Date.now()
    child.kill(signal)
    if (Date.now() - firstAt >= oneWishMilliseconds) setTimeout(() => child.kill('SIGKILL'), killMilliseconds).unref()
  }
  child.on('error', (error) => {
    console.error(`makola: ${node} does not run: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

if (Number(process.versions.node.split('.')[0]) < nodeVersionMin) {
  runAgainOnPackagedNode()
} else {
  restartWithNodeOptions()
  keepCompiledCode()
  await import(pathToFileURL(findProgram('cli')).href)
}
