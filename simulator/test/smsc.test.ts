import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startTestSimulator } from './start-test-simulator.ts'

/** A `submit_sm` whose `message_state` has no bytes, and something that is no SMPP at all. */
const broken = [
  Buffer.from('0000002900000004000000000000000100000061000000620000000000000000000002686904270000', 'hex'),
  Buffer.from('GET / HTTP/1.1\r\n\r\n'),
]

test('a client that speaks no SMPP is cut off, and the others are still served', async () => {
  await using simulator = await startTestSimulator()
  const port = (await simulator.request('GET', '/smpp')).json['port'] as number
  for (const bytes of broken) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.resume()
    await once(socket, 'connect')
    socket.end(bytes)
    await once(socket, 'close')
  }
  expect((await simulator.request('GET', '/smsc/count')).json).toMatchObject({ submits: 0, bound: 0 })
})
