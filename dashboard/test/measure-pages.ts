import { openChromium } from './open-chromium.ts'
import { demoUrl, openDemoPage } from './open-demo-page.ts'

/** Slow 4G, in milliseconds and bytes per second, and a processor four times as slow as this one. */
const slowNetwork = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const slowProcessor = { rate: 4 }

const pages = [
  { name: 'sign-in, first visit', path: '/app', isSignedIn: false, isSecondVisit: false },
  { name: 'overview, first visit', path: '/app', isSignedIn: true, isSecondVisit: false },
  { name: 'overview, second visit', path: '/app', isSignedIn: true, isSecondVisit: true },
] as const

type Times = { firstPaint: number; largestPaint: number; shift: number }

/** The paints that the browser noted, in milliseconds, and how far anything moved. */
const readTimes = `new Promise((resolve) => {
  const times = { firstPaint: 0, largestPaint: 0, shift: 0 }
  const observe = (type, note) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
  observe('paint', ({ name, startTime }) => { if (name === 'first-contentful-paint') times.firstPaint = startTime })
  observe('largest-contentful-paint', ({ startTime }) => { times.largestPaint = startTime })
  observe('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) times.shift += value })
  setTimeout(() => resolve(times), 1_000)
})`

async function measure({ name, path, isSignedIn, isSecondVisit }: (typeof pages)[number]): Promise<string> {
  const page = await openDemoPage(await openChromium(), { viewport: { width: 360, height: 740 } }, isSignedIn)
  if (isSecondVisit) await page.goto(demoUrl + path, { waitUntil: 'networkidle' })
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
  await page.goto(demoUrl + path, { waitUntil: 'networkidle' })
  const { firstPaint, largestPaint, shift } = await page.evaluate<Times>(readTimes)
  await page.context().close()
  const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(2)} s`
  return `| ${name} | ${(bytes / 1_000).toFixed(0)} KB | ${requests} | ${seconds(firstPaint)} | ${seconds(largestPaint)} | ${shift.toFixed(3)} |`
}

console.log('| Page | Over the wire | Requests | First paint | Largest paint | Shift |\n|---|---|---|---|---|---|')
for (const page of pages) console.log(await measure(page))
await (await openChromium()).close()
