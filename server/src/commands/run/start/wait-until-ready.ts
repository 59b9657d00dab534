import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../../../config.ts'
import { askApi } from '../ask-role.ts'
import type { ReadyMessage } from '../run-role.ts'

const pollMilliseconds = 10

/** The pause between two checks. It does not keep this process alive. */
const pause = () => delay(pollMilliseconds, undefined, { ref: false })

/** Resolves when the child reports over its channel that it is ready. */
export function waitForReadyMessage(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if ((message as Partial<ReadyMessage>).kind === 'ready') resolve()
    })
  })
}

export async function waitForApi(child: ChildProcess, config: Config): Promise<void> {
  await waitForReadyMessage(child)
  while ((await askApi(config)) !== 200) await pause()
}

/** Resolves when this simulator has written its address to a file. */
export async function waitForSimulator(child: ChildProcess, dataDir: string): Promise<void> {
  for (;;) {
    const text = await readFile(join(dataDir, 'simulator.json'), 'utf8').catch(() => '{}')
    if ((JSON.parse(text) as { pid?: number }).pid === child.pid) return
    await pause()
  }
}
