import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterEach } from 'vitest'
import type { SmsBench } from '../sms-bench.fixture.ts'

/** Workers in processes of their own, so that a test can kill them. */
export type WorkerProcesses = {
  /** Starts a worker, and waits until it is ready. */
  start(): Promise<ChildProcess>
  /** Ends a worker, and waits until it has ended. */
  end(child: ChildProcess, signal?: NodeJS.Signals): Promise<void>
}

const commandLine = fileURLToPath(new URL('../../../../bin/makola.js', import.meta.url))

/** Makes workers on a bench's database. Kills those that still run at the end of a test. */
export function useWorkerProcesses(bench: SmsBench): WorkerProcesses {
  const running = new Set<ChildProcess>()
  afterEach(() => {
    for (const child of running) child.kill('SIGKILL')
    running.clear()
  })
  return {
    async start() {
      const child = spawn(process.execPath, [commandLine, 'worker'], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        env: {
          ...process.env,
          DATABASE_URL: bench.app.database.applicationUrl,
          DATA_DIR: bench.simulator.dataDir,
          SECRETS_KEY_FILE: join(bench.app.dataDir, 'secrets.key'),
          LOG_LEVEL: 'silent',
        },
      })
      running.add(child)
      await once(child, 'message')
      return child
    },
    async end(child, signal = 'SIGKILL') {
      running.delete(child)
      const exited = once(child, 'exit')
      child.kill(signal)
      await exited
    },
  }
}
