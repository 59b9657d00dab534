import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { expect, it } from 'vitest'
import { isPublicAddress, openPublicAgent } from './public-addresses.ts'

it.each([
  ['8.8.8.8', true],
  ['2a00:1450:4001:830::200a', true],
  ['127.0.0.1', false],
  ['0.0.0.0', false],
  ['10.1.2.3', false],
  ['172.16.0.1', false],
  ['192.168.1.1', false],
  ['100.64.0.1', false],
  ['169.254.169.254', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::1', false],
  ['::', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['::ffff:10.0.0.1', false],
  ['::ffff:8.8.8.8', true],
  ['64:ff9b::a00:1', false],
  ['2002:a00:1::', false],
  ['ff02::1', false],
  ['nothing', false],
])('%s is an address of the public internet: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic)
})

/** A program of this machine that must not be reached. */
async function startInside() {
  let calls = 0
  const server = createServer((_request, response) => {
    calls += 1
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return { port: (server.address() as AddressInfo).port, calls: () => calls, close: () => server.close() }
}

it('connects to nothing that is not public, by name or by number', async () => {
  const inside = await startInside()
  const agent = openPublicAgent()
  for (const host of ['localhost', 'shop.localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0x7f000001', '0.0.0.0']) {
    const asked = request(`http://${host}:${inside.port}/`, { dispatcher: agent })
    await expect(asked).rejects.toMatchObject({ code: 'ADDRESS_NOT_PUBLIC' })
  }
  expect(inside.calls()).toBe(0)
  await agent.close()
  inside.close()
})

const typeA = 1
/** An IPv6 address that counts as public and that nobody has: its block was never given out. */
const nowhere = Buffer.from('4000'.padEnd(32, '0'), 'hex')

/** A name server whose names lead nowhere on the first look, and to this machine from the second look on. */
async function startRebindingNameServer() {
  const looks = new Map<number, number>()
  const socket = createSocket('udp4', (query, { port, address }) => {
    const end = query.indexOf(0, 12) + 5
    const type = query.readUInt16BE(end - 4)
    const look = (looks.get(type) ?? 0) + 1
    looks.set(type, look)
    const found = look === 1 ? (type === typeA ? null : nowhere) : type === typeA ? Buffer.from([127, 0, 0, 1]) : null
    const head = Buffer.from(query.subarray(0, end))
    head.writeUInt16BE(0x81_80, 2)
    head.writeUInt16BE(found ? 1 : 0, 6)
    head.writeUInt32BE(0, 8)
    const row = found ? [Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 0, 0, found.length]), found] : []
    socket.send(Buffer.concat([head, ...row]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, looks: () => looks.get(typeA) ?? 0, close: () => socket.close() }
}

it('connects to the addresses that it has checked, so a name that leads to this machine on the second look gains nothing', async () => {
  const inside = await startInside()
  const names = await startRebindingNameServer()
  const agent = openPublicAgent([names.address])
  const ask = () => request(`http://rebinding.example.com:${inside.port}/`, { dispatcher: agent })
  await expect(ask()).rejects.not.toMatchObject({ code: 'ADDRESS_NOT_PUBLIC' })
  expect(names.looks()).toBe(1)
  await expect(ask()).rejects.toMatchObject({ code: 'ADDRESS_NOT_PUBLIC' })
  expect(inside.calls()).toBe(0)
  await agent.destroy()
  names.close()
  inside.close()
})
