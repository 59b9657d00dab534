import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openChromium } from './open-chromium.ts'
import { demoUrl, openDemoPage } from './open-demo-page.ts'

/** Slow 4G, in milliseconds and bytes per second, and a processor four times as slow as this one. */
const slowNetwork = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const slowProcessor = { rate: 4 }

type Visit = { readonly name: string; readonly url: string; readonly isSignedIn: boolean; readonly isSecondVisit: boolean }

const visit = (name: string, path: string, isSignedIn = true, isSecondVisit = false): Visit => {
  return { name, url: demoUrl + path, isSignedIn, isSecondVisit }
}

const visits: readonly Visit[] = [
  visit('sign-in, first visit', '/app', false),
  visit('overview, first visit', '/app'),
  visit('overview, second visit', '/app', true, true),
  ...['/wallet', '/sms', '/notices', '/top-up', '/sms/contacts'].map((path) => visit(path, `/app${path}`, true, true)),
]

/**
 * Answers each request with as many bytes as its address names, uncompressed, and a line of text after them. The times of such
 * a page are those of the line and this machine alone.
 */
const bare = createServer((request, response) => {
  const bytes = Number(request.url?.slice(1))
  response.setHeader('content-type', 'text/html')
  response.end(
    `<!doctype html><title>Bare</title><!--${randomBytes(Math.ceil(bytes / 2))
      .toString('hex')
      .slice(0, bytes)}--><p>Bare`,
  )
})

type Times = { firstPaint: number; largestPaint: number; shift: number }

/**
 * Script that reads from the browser when it first painted and when it painted the largest element, in milliseconds, and the
 * layout shift, a number without a unit.
 */
const readTimes = `new Promise((resolve) => {
  const times = { firstPaint: 0, largestPaint: 0, shift: 0 }
  const observe = (type, note) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
  observe('paint', ({ name, startTime }) => { if (name === 'first-contentful-paint') times.firstPaint = startTime })
  observe('largest-contentful-paint', ({ startTime }) => { times.largestPaint = startTime })
  observe('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) times.shift += value })
  setTimeout(() => resolve(times), 1_000)
})`

async function measure({ name, url, isSignedIn, isSecondVisit }: Visit): Promise<{ bytes: number; line: string }> {
  const page = await openDemoPage(await openChromium(), { viewport: { width: 360, height: 740 } }, isSignedIn)
  if (isSecondVisit) await page.goto(url, { waitUntil: 'networkidle' })
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', slowNetwork)
  await session.send('Emulation.setCPUThrottlingRate', slowProcessor)
  let bytes = 0
  let requests = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    if (encodedDataLength === 0) return
    bytes += encodedDataLength
    requests += 1
  })
  await page.goto(url, { waitUntil: 'networkidle' })
  const { firstPaint, largestPaint, shift } = await page.evaluate<Times>(readTimes)
  await page.context().close()
  const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(2)} s`
  const line = `| ${name} | ${(bytes / 1_000).toFixed(0)} KB | ${requests} | ${seconds(firstPaint)} | ${seconds(largestPaint)} | ${shift.toFixed(3)} |`
  return { bytes, line }
}

await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve))
const { port } = bare.address() as AddressInfo
console.log('| Page | Over the wire | Requests | First paint | Largest paint | Shift |\n|---|---|---|---|---|---|')
for (const each of visits) {
  const { bytes, line } = await measure(each)
  console.log(line)
  if (each.isSecondVisit) continue
  const same = {
    name: 'a bare page of as many bytes',
    url: `http://127.0.0.1:${port}/${bytes}`,
    isSignedIn: false,
    isSecondVisit: false,
  }
  console.log((await measure(same)).line)
}
bare.close()
await (await openChromium()).close()
