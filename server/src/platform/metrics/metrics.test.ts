import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { startHttpApp } from '../../../test/start-http-app.ts'
import { cachedCollector } from '../../database-metrics.ts'
import { ok } from '../http/envelope.ts'
import { openMetrics } from './open-metrics.ts'
import { serveMetrics } from './serve-metrics.ts'

const place = { host: '127.0.0.1', port: 0 }

test('serves the metrics of the process at /metrics, and nothing else', async () => {
  const metrics = openMetrics('api')
  metrics.counter('makola_things_total', 'Things.', ['kind']).inc({ kind: 'one' }, 2)
  const served = await serveMetrics(metrics, place)
  try {
    const response = await fetch(served.url)
    expect(response.headers.get('content-type')).toContain('text/plain')
    const text = await response.text()
    expect(text).toContain('makola_things_total{kind="one",role="api"} 2')
    expect(text).toMatch(/nodejs_eventloop_lag_seconds/)
    expect((await fetch(served.url.replace('/metrics', '/'))).status).toBe(404)
    expect((await fetch(served.url, { method: 'POST' })).status).toBe(404)
  } finally {
    await served.close()
  }
})

test('fails to start on a port that is taken', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  await expect(serveMetrics(openMetrics('api'), { host: '127.0.0.1', port })).rejects.toThrow('EADDRINUSE')
  other.close()
})

test('counts requests by route and status, and paths that nobody has in one series', async () => {
  const metrics = openMetrics('api')
  const app = await startHttpApp(
    (api) => {
      api.get('/things', { config: { keyType: 'standard' }, schema: {} }, () => ok({}))
    },
    { metrics },
  )
  try {
    await app.ask('GET', '/api/v2/things', { headers: { authorization: 'standard-key' } })
    await app.ask('GET', '/api/v2/things', { headers: { authorization: 'standard-key' } })
    await app.ask('GET', '/api/v2/things')
    await app.ask('GET', '/api/v2/secret-1')
    await app.ask('DELETE', '/api/v2/secret-2')
    const text = await metrics.read()
    const count = (labels: string) =>
      new RegExp(`makola_http_request_duration_seconds_count\\{role="api",${labels}[^}]*\\} (\\d+)`).exec(text)?.[1]
    expect(count('method="GET",route="/api/v2/things",status="200"')).toBe('2')
    expect(count('method="GET",route="/api/v2/things",status="401"')).toBe('1')
    expect(count('method="other",route="unknown",status="404"')).toBe('2')
    expect(text).not.toContain('secret')
  } finally {
    await app.close()
  }
})

test('begins no second look at the database while one runs, however long it takes', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  try {
    const ends = Array.from({ length: 2 }, () => Promise.withResolvers<void>())
    let looks = 0
    const collect = cachedCollector(
      async () => {
        looks += 1
        await ends[looks - 1]?.promise
      },
      () => undefined,
    )
    const first = collect()
    now.mockReturnValue(60_000)
    const second = collect()
    expect(looks).toBe(1)
    ends[0]?.resolve()
    await Promise.all([first, second])
    const third = collect()
    expect(looks).toBe(2)
    ends[1]?.resolve()
    await third
  } finally {
    now.mockRestore()
  }
})

test('looks at the database once however many ask, and says when it could not', async () => {
  let looks = 0
  let failures = 0
  const collect = cachedCollector(
    async () => {
      looks += 1
      throw new Error('away')
    },
    () => {
      failures += 1
    },
  )
  await Promise.all([collect(), collect(), collect()])
  await collect()
  expect([looks, failures]).toEqual([1, 1])
})
