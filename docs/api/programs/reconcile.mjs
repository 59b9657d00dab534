// node reconcile.mjs 2026-01-15 own-orders.json
import { readFileSync } from 'node:fs'
import { MakolaClient } from 'makola-client'

const [, , day, file] = process.argv
const makola = new MakolaClient({ baseUrl: 'https://localhost:8443/api/v2', standardKey: process.env.MAKOLA_KEY })

// What your own books have of that day: {"order-2026-0001": {"status": "completed", "price": 5.2}}
const mine = new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8'))))
const nextDay = new Date(Date.parse(day) + 86_400_000).toISOString()
const during = { created_from: `${day}T00:00:00Z`, created_before: nextDay }
const pesewas = (amount) => Math.round(amount * 100)

const differences = []
const theirs = new Map()
for await (const order of makola.everyOrder(during)) theirs.set(order.reference, order)
for (const reference of new Set([...mine.keys(), ...theirs.keys()])) {
  const [yours, ours] = [mine.get(reference), theirs.get(reference)]
  if (!ours) differences.push(`${reference}: only in your books, so nothing was charged that day`)
  else if (!yours) differences.push(`${reference}: only here, ${ours.status} ${ours.price}`)
  else if (yours.status !== ours.status || pesewas(yours.price) !== pesewas(ours.price)) {
    differences.push(`${reference}: ${yours.status} ${yours.price} in your books, ${ours.status} ${ours.price} here`)
  }
}

// The wallet, newest first: no number is missing, and each balance goes on from the one before.
let newer
for await (const entry of makola.everyWalletTransaction(during)) {
  const fits = entry.transaction_no + 1 === newer?.transaction_no && entry.balance_after === newer.balance_before
  if (newer && !fits) differences.push(`wallet: between ${entry.transaction_no} and ${newer.transaction_no}`)
  newer = entry
}

for (const difference of differences) console.log(difference)
console.log(`${day}: ${theirs.size} orders, ${differences.length} differences`)
process.exitCode = differences.length > 0 ? 1 : 0
