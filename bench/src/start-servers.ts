import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { apiNodeOptions } from '../../server/src/commands/run/start/spawn-ours.ts'
import { type Target } from './load/load.ts'
import { readAuthority } from './open-shop.ts'

/** An API process under measurement. */
export type MeasuredServer = {
  readonly target: Target
  /** The resident memory of the process now, in bytes. */
  readMemory(): Promise<number>
  stop(): Promise<void>
}

function environment(dataDir: string, more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const own = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', DEMO: 'off', DATABASE_URL: '', ...more }
  return { ...process.env, ...own }
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** Starts one API process: the candidate, or the textbook way of building it. */
export async function startServer(way: 'candidate' | 'textbook', dataDir: string, databaseUrl: string): Promise<MeasuredServer> {
  const child = fork(fileURLToPath(new URL('bench-server.ts', import.meta.url)), [way, databaseUrl], {
    env: environment(dataDir),
    execArgv: [...apiNodeOptions],
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    target: { origin: `https://localhost:${port}`, ca: await readAuthority(dataDir) },
    async readMemory() {
      child.send('memory')
      const [{ residentBytes }] = (await once(child, 'message')) as [{ residentBytes: number }]
      return residentBytes
    },
    async stop() {
      child.disconnect()
      await endOf(child)
    },
  }
}

const cli = fileURLToPath(new URL('../../server/bin/makola.js', import.meta.url))

/** A process of the platform, as the command line starts it. */
export type Role = { readonly child: ChildProcess; stop(): Promise<void> }

/** Starts `makola <role>` and waits until it says that it is ready. */
export async function startRole(
  role: 'api' | 'worker' | 'simulator' | 'start',
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<Role> {
  const child = spawn(process.execPath, [cli, role], {
    env: environment(dataDir, { LOG_LEVEL: role === 'simulator' ? 'silent' : 'warn', ...settings }),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  if (role !== 'simulator') await once(child, 'message')
  return {
    child,
    async stop() {
      child.kill('SIGTERM')
      await endOf(child)
    },
  }
}

/** Where the simulator of this folder listens; waits until it does. */
export async function findSimulator(dataDir: string): Promise<string> {
  for (;;) {
    const text = await readFile(join(dataDir, 'simulator.json'), 'utf8').catch(() => '')
    if (text !== '') return (JSON.parse(text) as { url: string }).url
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/**
 * Starts the whole platform on an existing database and answers the milliseconds until it had answered
 * its first request, by its own log.
 */
export async function measureStart(dataDir: string): Promise<number> {
  const child = spawn(process.execPath, [cli, 'start'], {
    env: environment(dataDir, { LOG_LEVEL: 'info' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  const milliseconds = await new Promise<number>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const found = /"startMilliseconds":(\d+)/.exec(printed)
      if (found) resolve(Number(found[1]))
    })
  })
  child.kill('SIGTERM')
  await endOf(child)
  return milliseconds
}
