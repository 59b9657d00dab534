import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type HttpApp, startHttpApp } from '../../../../test/start-http-app.ts'
import { ok } from '../envelope.ts'
import { closeGracefully } from './close-gracefully.ts'

const headers = { authorization: 'standard-key' }

/** Starts an app with one endpoint, which answers after `release` is called. */
async function startWaitingApp(): Promise<{
  http: HttpApp
  started: Promise<void>
  answered: Promise<void>
  release: () => void
}> {
  const start = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const http = await startHttpApp((api) => {
    api.addHook('onSend', async () => answer.resolve())
    api.get('/slow', { config: { keyType: 'standard' } }, async () => {
      start.resolve()
      await gate.promise
      return ok('finished')
    })
  })
  return { http, started: start.promise, answered: answer.promise, release: () => gate.resolve() }
}

it('answers what is in flight, takes no new connection, and closes kept-alive ones', async () => {
  const { http, started, release } = await startWaitingApp()
  const inFlight = http.ask('GET', '/api/v2/slow', { headers })
  const idle = await http.connect()
  idle.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(idle, 'data')
  await started
  const idleClosed = once(idle, 'close')
  const closed = closeGracefully(http.app)
  await idleClosed
  await expect(http.connect()).rejects.toThrow('ECONNREFUSED')
  release()
  expect(await inFlight).toMatchObject({ status: 200, json: { data: 'finished' } })
  await closed
  await http.close()
})

/** Asks a closing app for its health during the notice. Undefined when a slow machine asked only after the notice. */
async function askDuringNotice(noticeMilliseconds: number) {
  const { http } = await startWaitingApp()
  expect((await http.ask('GET', '/readyz')).status).toBe(200)
  let isOver = false
  const closed = closeGracefully(http.app, { noticeMilliseconds })
  const noticed = sleep(noticeMilliseconds).then(() => (isOver = true))
  const answers = await Promise.all([http.ask('GET', '/readyz'), http.ask('GET', '/healthz')]).catch((error: unknown) => {
    if (!isOver) throw error
    return undefined
  })
  await Promise.all([closed, noticed])
  await http.close()
  return answers
}

it('says 503 on /readyz before it stops accepting, and Connection: close on every answer from then on', async () => {
  let answers = await askDuringNotice(300)
  for (const noticeMilliseconds of [3_000, 30_000]) answers ??= await askDuringNotice(noticeMilliseconds)
  if (!answers) throw new Error('nothing was answered during the notice')
  const [ready, health] = answers
  expect(ready).toMatchObject({ status: 503, json: { success: false, error: { code: 503 } } })
  expect(ready.headers['connection']).toBe('close')
  expect({ status: health.status, connection: health.headers['connection'] }).toEqual({ status: 200, connection: 'close' })
})

it('cuts off what has not finished after the time to drain', async () => {
  const { http, started, answered, release } = await startWaitingApp()
  const inFlight = http.ask('GET', '/api/v2/slow', { headers })
  const outcome = inFlight.then(
    () => 'answered',
    () => 'cut off',
  )
  await started
  await closeGracefully(http.app, { drainMilliseconds: 200 })
  expect(await outcome).toBe('cut off')
  release()
  // An answer to a connection that is gone is no failure.
  await answered
  await http.close()
})

it('is not ready while the database is away', async () => {
  let isAway = false
  const http = await startHttpApp(() => undefined, { isReady: () => !isAway })
  expect((await http.ask('GET', '/readyz')).status).toBe(200)
  isAway = true
  const answer = await http.ask('GET', '/readyz')
  expect(answer).toMatchObject({ status: 503, headers: { 'x-error-reason': 'not_ready', 'retry-after': '2' } })
  expect((await http.ask('GET', '/healthz')).status).toBe(200)
  await http.close()
})
