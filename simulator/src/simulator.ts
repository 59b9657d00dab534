import { mkdir } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { announceAddress, findRunningSimulator, withdrawAddress } from './announce-address.ts'
import { buildSimulator } from './build-simulator.ts'
import { readSimulatorConfig } from './read-simulator-config.ts'

/** The process ends after this time in any case: everything important is on disk. */
const stopMilliseconds = 30_000

const config = readSimulatorConfig()
await mkdir(config.dataDir, { recursive: true })
const running = await findRunningSimulator(config.dataDir)
if (running) throw new Error(`a simulator is already at work in ${config.dataDir}: process ${running.pid} at ${running.url}`)

const { app, smscPort, stop } = await buildSimulator(config)

let isStopping = false

async function stopOnce(reason: string): Promise<void> {
  if (isStopping) return
  isStopping = true
  app.log.info({ reason }, 'simulator stopping')
  setTimeout(() => {
    app.log.error('stopping took too long and was cut short')
    process.exit(1)
  }, stopMilliseconds).unref()
  await withdrawAddress(config.dataDir)
  await stop()
  app.log.info('simulator stopped')
  if (process.connected) process.disconnect()
}

const isStartedByParent = process.channel !== undefined
process.on('SIGTERM', () => void stopOnce('SIGTERM'))
// Ctrl-C reaches every process of a terminal. A simulator that a parent process started ignores it: the parent finishes its
// own work first, and then stops the simulator.
process.on('SIGINT', () => (isStartedByParent ? undefined : void stopOnce('SIGINT')))
if (isStartedByParent) process.on('disconnect', () => void stopOnce('the parent process is gone'))

// Announces the address only after signals are handled, because a signal may follow at once.
const url = await app.listen({ host: '127.0.0.1', port: config.port })
// Writes compiled code to Node's cache now, if the parent has switched it on. A killed simulator could not do it later.
flushCompileCache()
await announceAddress(config.dataDir, { url, pid: process.pid, smscPort })
app.log.info({ url, smscPort, pid: process.pid, callbacks: config.callbackBaseUrl }, 'simulator ready')
