import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { Config } from '../../../config.ts'
import { CommandError, UsageError } from '../../frame/command-error.ts'

const megabyte = 1024 ** 2
/** A new database takes 40 MB, its write-ahead log another 40 MB, and both grow with the first orders. */
const newDatabaseMegabytes = 200
/** Space for certificates, keys, logs, and a checkpoint of an existing database. */
const startMegabytes = 20

async function checkPort(config: Config): Promise<void> {
  const server = createServer()
  server.listen(config.port, config.host)
  await once(server, 'listening').catch((error: unknown) => {
    throw explainListenFailure(error)
  })
  server.close()
  await once(server, 'close')
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** The folder, or its nearest parent folder that exists. */
async function nearestFolder(path: string): Promise<string> {
  return (await isThere(path)) || path === dirname(path) ? path : nearestFolder(dirname(path))
}

async function checkSpace(config: Config): Promise<void> {
  const folder = await nearestFolder(config.dataDir)
  const isDatabaseToBeMade = config.databaseUrl === undefined && !(await isThere(join(config.dataDir, 'postgres')))
  const needed = isDatabaseToBeMade ? newDatabaseMegabytes : startMegabytes
  const { bavail, bsize } = await statfs(folder)
  const free = (bavail * bsize) / megabyte
  if (free >= needed) return
  throw new CommandError(
    `The disk of ${config.dataDir} is full: ${Math.floor(free)} MB are free and ${needed} MB are needed. ` +
      'Make room, or set DATA_DIR to a folder on another disk.',
  )
}

async function checkFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined)
  if (found && !found.isDirectory()) throw new UsageError(`DATA_DIR is ${folder}, which is a file. Set it to a folder.`)
  const probe = join(folder, `.write-test-${randomBytes(4).toString('hex')}`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(probe, '')
    await rm(probe)
  } catch (error) {
    const { message } = error as Error
    throw new CommandError(
      `DATA_DIR is ${folder}, where this user cannot write: ${message}. Give the folder to the user, or set another DATA_DIR.`,
    )
  }
}

/**
 * Checks that the port is free, that the disk has room, and that the folder can be written to. Leaves nothing behind but the
 * folder.
 * @throws CommandError naming the port, the address or the folder, and what to do
 */
export async function checkPortAndDataDir(config: Config): Promise<void> {
  await checkPort(config)
  await checkSpace(config)
  await checkFolder(config.dataDir)
}

/** Turns an error of a server that cannot listen into a message that says what to do. Returns any other error unchanged. */
export function explainListenFailure(error: unknown): unknown {
  const { code, port, address, syscall } = error as { code?: unknown; port?: unknown; address?: unknown; syscall?: unknown }
  const explain = (message: string) => new CommandError(message, { cause: error })
  if (code === 'EADDRINUSE') {
    return explain(`Port ${String(port)} is taken by another process. Stop that one, or give this one another port with PORT.`)
  }
  if (code === 'EACCES' && syscall === 'listen') {
    return explain(`This user may not listen on port ${String(port)}. Give Makola a port from 1024 on with PORT.`)
  }
  if (code === 'EADDRNOTAVAIL') return explain(`${String(address)} is no address of this machine. Set HOST to one that is.`)
  return error
}
