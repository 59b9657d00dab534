import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findSimulator } from '../src/suppliers/registry/find-simulator.ts'

/** A simulator that runs as a process of its own. */
export type RunningSimulator = {
  readonly url: string
  /** The simulator's `DATA_DIR`. */
  readonly dataDir: string
  /** Changes how a simulated supplier behaves; see the simulator's README. */
  control(behaviour: Record<string, unknown>): Promise<void>
  /** Ends every purchase now that a supplier has accepted and not ended. */
  endAll(): Promise<void>
  /** Makes the simulator behave as at its start again. */
  reset(): Promise<void>
  stop(): Promise<void>
}

export type SimulatorOptions = {
  /** Where simulated suppliers send their callbacks, before the path; a port where nobody listens if left out. */
  readonly callbackBaseUrl?: string
  /** 0.1 is ten times as fast. */
  readonly timeScale?: number
  /**
   * The simulator's folder, to start it again where another one stopped. Left out, it gets a folder of its own, which
   * is removed in the end.
   */
  readonly dataDir?: string
}

/** Starts the simulator on a free port, as the demo does: another process, on a real socket. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<RunningSimulator> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'makola-simulator-')))
  const program = fileURLToPath(new URL('../bin/simulator.js', import.meta.url))
  const child = spawn(process.execPath, [program], {
    // The simulator notices by the channel when the tests are killed.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      SIMULATOR_PORT: '0',
      SIMULATOR_TIME_SCALE: String(options.timeScale ?? 1),
      SIMULATOR_CALLBACK_BASE_URL: options.callbackBaseUrl ?? 'http://127.0.0.1:9',
      LOG_LEVEL: 'silent',
    },
  })
  const exited = once(child, 'exit')
  let url: string | undefined
  while (url === undefined) {
    if (child.exitCode !== null) throw new Error('the simulator did not start')
    await sleep(20)
    url = await findSimulator({ simulatorUrl: undefined, dataDir })
  }
  const behaviour = `${url}/control/behaviour`
  return {
    url,
    dataDir,
    control: async (changed) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(behaviour, { method: 'POST', headers, body: JSON.stringify(changed) })
      if (!response.ok) throw new Error(`the simulator refused: ${await response.text()}`)
    },
    endAll: async () => {
      await fetch(`${url}/control/endings`, { method: 'POST' })
    },
    reset: async () => {
      await fetch(behaviour, { method: 'DELETE' })
    },
    stop: async () => {
      child.kill('SIGTERM')
      await exited
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}
