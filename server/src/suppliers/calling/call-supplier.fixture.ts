/**
 * A process that sends one purchase and stops itself (SIGSTOP) while its connection is being made. Prints the result of the
 * call. Run by call-supplier.test.ts.
 */
import { subscribe } from 'node:diagnostics_channel'
import process from 'node:process'
import { callSupplier } from './call-supplier.ts'
import { startSendDeadline } from './start-send-deadline.ts'
import { openSupplierHttpClient } from './supplier-http-client.ts'

const [baseUrl = '', windowSeconds = '0'] = process.argv.slice(2)
const line = openSupplierHttpClient({
  baseUrl,
  slots: 1,
  requestsPerSecond: null,
  // Long enough that only the send deadline passes, however busy the machine is.
  timeouts: { connectSeconds: 150, callSeconds: 150 },
})
subscribe('undici:client:beforeConnect', () => process.kill(process.pid, 'SIGSTOP'))
const reply = await callSupplier(
  line,
  { method: 'POST', path: '/purchase', headers: {}, body: '{"buy":1}', mayStillSend: startSendDeadline(Number(windowSeconds)) },
  new AbortController().signal,
)
console.log(reply.kind)
await line.close()
