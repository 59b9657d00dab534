// WEBHOOK_SECRET=whsec_… PORT=8080 node receive-webhooks.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const secret = Buffer.from(process.env.WEBHOOK_SECRET.replace('whsec_', ''), 'base64')
mkdirSync('events', { recursive: true })

function isGenuine({ 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': given = '' }, body) {
  if (!(Math.abs(Date.now() / 1000 - Number(at)) < 300)) return false
  const signed = Buffer.concat([Buffer.from(`${id}.${at}.`), body])
  const wanted = Buffer.from(`v1,${createHmac('sha256', secret).update(signed).digest('base64')}`)
  const signatures = given.split(' ').map((each) => Buffer.from(each))
  return signatures.some((each) => each.length === wanted.length && timingSafeEqual(each, wanted))
}

async function receive(request) {
  const body = Buffer.concat(await request.toArray())
  if (!isGenuine(request.headers, body)) return 400
  try {
    // Stored under its id before the answer. The folder stands for a table of yours; work on it afterwards.
    writeFileSync(`events/${request.headers['webhook-id']}.json`, body, { flag: 'wx' })
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return 204 // It came before. Nothing is done a second time.
  }
  const { type, data } = JSON.parse(body)
  console.log(type, data.reference ?? '')
  return 204
}

createServer((request, response) => {
  const answer = (status) => response.writeHead(status).end()
  receive(request).then(answer, () => answer(500))
}).listen(process.env.PORT, '127.0.0.1', () => console.log('Waiting for events'))
