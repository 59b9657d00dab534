import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { type RequestOptions, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../../../config.ts'
import type { ReadyMessage } from '../run-role.ts'

const pollMilliseconds = 10
const answerMilliseconds = 2_000

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

function statusOf(secure: boolean, options: RequestOptions & { rejectUnauthorized?: boolean }): Promise<number> {
  return new Promise((resolve) => {
    const request = (secure ? requestSecure : requestPlain)(
      { ...options, timeout: answerMilliseconds, agent: false },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(0))
    request.end()
  })
}

/** The address at which this machine reaches a server that listens on `host`. */
function loopbackOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}

/** Resolves when the API answers /readyz with 200. Does not check its certificate, which may be made for a public name. */
export async function waitForApi(child: ChildProcess, config: Config): Promise<void> {
  await waitForReadyMessage(child)
  const isSecure = config.tls.kind !== 'proxy'
  const options = {
    host: loopbackOf(config.host),
    port: config.port,
    path: '/readyz',
    rejectUnauthorized: false,
    headers: isSecure ? {} : { 'x-forwarded-proto': 'https' },
  }
  while ((await statusOf(isSecure, options)) !== 200) await pause()
}

/** Resolves when this simulator has written its address to a file. */
export async function waitForSimulator(child: ChildProcess, dataDir: string): Promise<void> {
  for (;;) {
    const text = await readFile(join(dataDir, 'simulator.json'), 'utf8').catch(() => '{}')
    if ((JSON.parse(text) as { pid?: number }).pid === child.pid) return
    await pause()
  }
}
