import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { callGateway } from './call-gateway.ts'

it('an answer is read up to 256 KiB, however few characters these are', async () => {
  const server = createServer((request, response) => response.end('€'.repeat(Number(request.url?.slice(1)))))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const ask = (characters: number) => callGateway({ method: 'GET', url: `http://127.0.0.1:${port}/${characters}`, headers: {} })
  expect(await ask(80_000)).toEqual({ kind: 'answered', status: 200, body: '€'.repeat(80_000) })
  expect(await ask(100_000)).toEqual({ kind: 'unanswered', evidence: 'an answer of more than 262144 bytes' })
})
