import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { nodeOptionsOfRoles } from '../../server/bin/node-options.js'
import type { Target } from './load/load.ts'
import { childrenOf, commandLineOf } from './measure/processor-time.ts'

/** Kind of API process under measurement: our own, one with the textbook intake, or a bare route. */
export type ServerKind = 'candidate' | 'textbook' | 'bare'

export type MeasuredServer = {
  readonly target: Target
  readonly pid: number
  stop(): Promise<void>
}

function environment(dataDir: string, more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const own = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error', DEMO: 'off', DATABASE_URL: '', ...more }
  return { ...process.env, ...own }
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** The certificate authority that a server made in this folder. */
export function readAuthority(dataDir: string): Promise<string> {
  return readFile(join(dataDir, 'tls', 'ca.pem'), 'utf8')
}

export async function startServer(way: ServerKind, dataDir: string, databaseUrl: string): Promise<MeasuredServer> {
  const child = fork(fileURLToPath(new URL('bench-server.ts', import.meta.url)), [way, databaseUrl], {
    env: environment(dataDir),
    execArgv: [...(nodeOptionsOfRoles['api'] ?? [])],
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    target: { origin: `https://localhost:${port}`, ca: await readAuthority(dataDir) },
    pid: child.pid ?? 0,
    async stop() {
      child.disconnect()
      await endOf(child)
    },
  }
}

const cli = fileURLToPath(new URL('../../server/bin/makola.js', import.meta.url))

export type Role = { readonly pid: number; stop(): Promise<void> }

function roleOf(child: ChildProcess): Role {
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      await endOf(child)
    },
  }
}

/** Starts a role as `makola start` does, with Node's options for it, and waits until it reports ready. */
export async function startRole(
  role: 'api' | 'worker' | 'simulator',
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<Role> {
  const child = spawn(process.execPath, [...(nodeOptionsOfRoles[role] ?? []), cli, role], {
    env: environment(dataDir, { LOG_LEVEL: role === 'simulator' ? 'silent' : 'error', ...settings }),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  if (role === 'simulator') await findSimulator(dataDir)
  else await once(child, 'message')
  return roleOf(child)
}

/**
 * Runs work with roles that are started for it, and stops them in the end, the last one first.
 * @param use gets a function that starts a role and returns its process id
 */
export async function withRoles<T>(
  use: (start: (...asked: Parameters<typeof startRole>) => Promise<number>) => Promise<T>,
): Promise<T> {
  const roles: Role[] = []
  try {
    return await use(async (...asked) => {
      const role = await startRole(...asked)
      roles.push(role)
      return role.pid
    })
  } finally {
    for (const role of roles.toReversed()) await role.stop()
  }
}

/**
 * Waits until a process's log matches.
 * @returns the match
 */
function waitForLog(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  let printed = ''
  return new Promise((resolve) => {
    const listen = (chunk: Buffer) => {
      printed += chunk.toString()
      const found = pattern.exec(printed)
      if (found === null) return
      // Reads and drops the rest, because a full pipe would block the process.
      child.stdout?.off('data', listen).resume()
      resolve(found)
    }
    child.stdout?.on('data', listen)
  })
}

/** Starts `makola <role>` as an operator does, with its usual log of every request. */
export async function startAlone(role: 'api' | 'worker', dataDir: string, settings: Record<string, string> = {}): Promise<Role> {
  const child = spawn(process.execPath, [cli, role], {
    env: environment(dataDir, { LOG_LEVEL: 'info', ...settings }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await waitForLog(child, new RegExp(`"${role} is ready"`))
  return roleOf(child)
}

/** HTTP address of the simulator, and its SMPP port on the same host. */
export type SimulatorAddress = { readonly url: string; readonly smscPort: number }

/** Finds the simulator of this folder, and waits until it listens. */
export async function findSimulator(dataDir: string): Promise<SimulatorAddress> {
  for (;;) {
    const text = await readFile(join(dataDir, 'simulator.json'), 'utf8').catch(() => '')
    if (text !== '') return JSON.parse(text) as SimulatorAddress
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** The whole platform, as `makola start` starts it. */
export type Platform = Role & {
  /** Time from its start until it is ready, from its own log. */
  readonly startMilliseconds: number
  /** The process id of one of its roles; undefined outside Linux. */
  findRole(role: 'api' | 'worker'): number | undefined
}

export async function startPlatform(dataDir: string, settings: Record<string, string> = {}): Promise<Platform> {
  const child = spawn(process.execPath, [cli, 'start'], {
    env: environment(dataDir, { LOG_LEVEL: 'info', ...settings }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [, startMilliseconds] = await waitForLog(child, /"startMilliseconds":(\d+)/)
  return {
    ...roleOf(child),
    startMilliseconds: Number(startMilliseconds),
    findRole: (role) => childrenOf(child.pid ?? 0).find((pid) => commandLineOf(pid).includes(role)),
  }
}
