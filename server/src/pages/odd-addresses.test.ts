import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/start-test-app.ts'

test('an address that names no file is unknown below every root, and no fault of ours', async () => {
  const faults: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void faults.push(line) })
  const app = await startTestApp({ log })
  const agent = new Agent({ keepAlive: true, ca: await readFile(join(app.dataDir, 'tls', 'ca.pem')) })
  const statusOf = async (path: string) => {
    const sent = request({ agent, host: 'localhost', port: app.api.port, path })
    sent.end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    await response.resume().toArray()
    return response.statusCode
  }
  const roots = ['/assets', '/app', '/desk', '/docs', '/app/assets', '/docs/assets', '/favicon.svg', '/']
  const odd = [
    '/..',
    '/../',
    '/../../etc/passwd',
    '/./..',
    '/%2e%2e',
    '/%2e%2e/%2e%2e/x',
    '/..%2f..%2fetc%2fpasswd',
    '/..%5c..%5c',
    '/%00',
    '/a%00.js',
    '/%00/..',
    '/%0a',
    '/%0d%0aX:1',
    '/%ff',
    '/%c0%ae%c0%ae/',
    '/%u002e',
    '/%',
    '/%2',
    '/%zz',
    '/%25%00',
    '//',
    '///',
    '//..',
    '/\\\\',
    '/.',
    '/.git/config',
    '/..;/',
    '/~',
    '/*',
    '/:',
    '/?',
    '/?..',
    '/#',
    '/%23',
    '/%3f',
    '/%20',
    '/main-1.js/',
    '/main-1.js/..',
    '/main-1.js%00',
    '/.br',
    '/con',
    '/%F0%9F%92%A9',
    '/%ED%A0%80',
    `/${'a'.repeat(300)}`,
    `/${'a/'.repeat(300)}`,
    `/${'%2e'.repeat(200)}`,
    '/-',
    '/__proto__',
    '/constructor',
    '/toString',
    '/http://x/',
    '/@x',
  ]
  for (const url of roots.flatMap((root) => odd.map((path) => root.replace(/\/$/, '') + path))) {
    const status = await statusOf(url)
    const isPage = /^\/(?:app|desk)\//.test(url)
    expect([url, [400, 404, ...(isPage ? [200, 503] : [200, 302])]]).toEqual([url, expect.arrayContaining([status])])
  }
  expect(faults).toEqual([])
  agent.destroy()
  await app.close()
})
