#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findProgram, packagedNode } from './find-program.js'
import { keepCompiledCode } from './keep-compiled-code.js'
import { isOldNode, refuseOldNode } from './need-node.js'
import { memoryEnvironment, nodeOptionsOfRoles } from './node-options.js'

/** One Ctrl-C may arrive twice, from the terminal and from npm. A signal after this time is a second request to stop. */
const sameSignalMilliseconds = 500
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
 * Replaces this process by the same program with the missing options of Node; the process id stays. A process with a
 * channel to its parent would lose the channel, but a parent of ours always gives the options.
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
 * Runs this file again with the Node of the installation, because the Node on the PATH is too old. Signals and the exit
 * code are passed on. When this process is killed, the channel to the new process closes, and the new process ends.
 */
function runAgainOnPackagedNode() {
  if (!existsSync(packagedNode)) refuseOldNode()
  const child = spawn(packagedNode, [...missingNodeOptions(), fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...memoryEnvironment, ...process.env },
  })
  // Ctrl-C also reaches the new process directly. A role that a parent started ignores it, and waits until the parent asks it
  // to stop.
  process.on('SIGINT', () => pass('SIGTERM'))
  process.on('SIGTERM', () => pass('SIGTERM'))
  process.on('SIGHUP', () => pass('SIGHUP'))
  let firstAt
  /** At a second signal the new process ends by itself. If it does not react any more, it is killed. */
  function pass(signal) {
    firstAt ??= Date.now()
    child.kill(signal)
    if (Date.now() - firstAt >= sameSignalMilliseconds) setTimeout(() => child.kill('SIGKILL'), killMilliseconds).unref()
  }
  child.on('error', (error) => {
    console.error(`makola: ${packagedNode} does not run: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

if (isOldNode) {
  runAgainOnPackagedNode()
} else {
  restartWithNodeOptions()
  keepCompiledCode()
  await import(pathToFileURL(findProgram('cli')).href)
}
