// node buy-with-retries.mjs REFERENCE
import { setTimeout as sleep } from 'node:timers/promises'

const api = 'https://localhost:8443/api/v2'
const reference = process.argv[2] ?? 'order-2026-0001'
const order = { network: 'MTN', volume_gb: 1, recipient: '0241234567', reference }

async function ask(path, options = {}) {
  for (let wait = 1; ; wait = Math.min(wait * 2, 60)) {
    let retryAfter
    try {
      const response = await fetch(api + path, {
        ...options,
        headers: { Authorization: process.env.MAKOLA_KEY, 'Content-Type': 'application/json' },
        signal: AbortSignal.timeout(30_000),
      })
      const answer = await response.json()
      if (answer.success) return answer.data
      // A 4xx charges nothing, and only 429 passes by itself. After 401 or 403 keep the reference:
      // an earlier try may have paid.
      if (response.status < 500 && response.status !== 429) {
        throw Object.assign(new Error(`${answer.error.code}: ${answer.error.message}`), { isFinal: true })
      }
      retryAfter = Number(response.headers.get('Retry-After'))
    } catch (error) {
      if (error.isFinal) throw error
    }
    await sleep((retryAfter || wait * (0.5 + Math.random() / 2)) * 1000)
  }
}

let placed = await ask('/data/purchase', { method: 'POST', body: JSON.stringify(order) })
while (['queued', 'pending', 'processing'].includes(placed.status)) {
  await sleep(2000)
  placed = await ask(`/orders/${encodeURIComponent(reference)}`)
}
console.log(placed.reference, placed.status)
