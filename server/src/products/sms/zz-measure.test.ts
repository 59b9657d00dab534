import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { it } from 'vitest'
import { startSmsBench, until } from './sms-bench.fixture.ts'
import { openSmppLink } from '../../suppliers/smpp/link.ts'
import { readSmppSettings } from '../../suppliers/smpp/settings.ts'
import { encodeText } from './encode-text.ts'
it('measure', async () => {
  const bench = await startSmsBench()
  await bench.smsc('POST', '/control/smsc', { sendsReceipts: process.env.RECEIPTS !== '0' })
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../cli.ts', import.meta.url)), 'worker'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env: { ...process.env, DATABASE_URL: bench.app.database.applicationUrl, DATA_DIR: bench.simulator.dataDir, SECRETS_KEY: Buffer.alloc(32).toString('base64'), LOG_LEVEL: 'silent' } })
  await once(child, 'message')
  const r = await bench.makeSmsReseller(100_000)
  const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024
  for (const round of [1, 2]) {
    const before = Number((await bench.smsc('GET', '/smsc/count'))['submits'])
    const t0 = performance.now()
    const a = await bench.send(r, { message: 'Hello there', recipients: Array.from({ length: 10_000 }, (_, n) => `02${round}${1_000_000 + n * 7}`) })
    const t1 = performance.now()
    let peak = 0
    await until('submitted', async () => { peak = Math.max(peak, rss()); return Number((await bench.smsc('GET', '/smsc/count'))['submits']) - before >= 10_000 }, 120)
    const t2 = performance.now()
    await until('settled', async () => (await bench.get(r, `/sms/messages/${a.body.data.campaignId}`)).body.data.campaign.status === 'completed', 60)
    const t3 = performance.now()
    console.log('accepted', Math.round(t1 - t0), 'ms; submitted', Math.round(t2 - t0), 'ms; settled', Math.round(t3 - t0), 'ms; worker rss', Math.round(peak))
  }
  child.kill('SIGTERM'); await once(child, 'exit')
  const link = openSmppLink({ findAddress: async () => ({ host: '127.0.0.1', port: (await bench.smsc('GET', '/smpp'))['port'] as number, isSecure: false }), systemId: 'simulated', password: 'smpp', vocabulary: readSmppSettings({}), windowSize: 20, perSecond: null }, { onReceipt: async () => undefined, onStateChange: () => undefined })
  await until('bound', async () => link.isBound())
  const t = performance.now()
  await Promise.all(Array.from({ length: 10_000 }, (_, i) => link.submit({ sender: 'Makola', recipient: `2332${10_000_000 + i}`, text: encodeText('Hello there', 'standard') })))
  console.log('bare 10,000 submits', Math.round(performance.now() - t), 'ms')
  await link.close(); await bench.close()
}, 240_000)
