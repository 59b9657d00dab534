import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { extract } from 'tar'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeKeyFor } from '../../test/make-account.ts'
import { untilTrue } from '../../test/patience.ts'
import { readTodayThatLasts } from '../../test/running/today-that-lasts.ts'
import { startTestApp, type TestApp } from '../../test/start-test-app.ts'
import { makeWebhookSecret, signWebhook } from '../notices/webhooks/post-webhook.ts'
import { findFreePort } from '../platform/find-free-port.ts'
import { readClients } from './build-site.ts'
import { type OpenApiDocument, type Operation, readOperations } from './openapi.ts'
import { readPrograms } from './read-guides.ts'
import { type Sample, writeSamples } from './write-samples.ts'

let app: TestApp
let folder: string
let keys: Record<string, string>
let operations: Operation[]

beforeAll(async () => {
  app = await startTestApp()
  folder = await mkdtemp(join(tmpdir(), 'makola-samples-'))
  const { accountId, key } = await app.makeReseller()
  const { db } = app.database
  keys = { standard: key, sms: await makeKeyFor(db, accountId, 'sms'), commission: await makeKeyFor(db, accountId, 'commission') }
  operations = readOperations(app.api.app.swagger() as OpenApiDocument).flatMap((group) => group.operations)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const hasPhp = spawnSync('php', ['-r', 'exit(extension_loaded("curl") ? 0 : 1);']).status === 0

/** The command that runs a program of each language. PHP may be missing on this machine. */
const runners: Readonly<Record<string, { file: string; command: (file: string, authority: string) => string[] }>> = {
  curl: { file: 'sample.sh', command: (file) => ['bash', file] },
  javascript: { file: 'sample.mjs', command: (file) => [process.execPath, file] },
  php: { file: 'sample.php', command: (file, authority) => ['php', '-d', `curl.cainfo=${authority}`, file] },
  python: { file: 'sample.py', command: (file) => ['python3', file] },
}
const languages = Object.keys(runners)

/** True when a language's programs cannot run here. Their tests are then listed as skipped. */
const isMissing = (language: string): boolean => language === 'php' && !hasPhp

type Outcome = { readonly code: number | null; readonly output: string; readonly errors: string }

async function run(sample: Sample, key: string, words: readonly string[] = []): Promise<Outcome> {
  const runner = runners[sample.language]
  if (!runner) throw new Error(`nothing runs ${sample.language}`)
  const file = join(folder, runner.file)
  await writeFile(file, sample.code)
  const authority = join(app.dataDir, 'tls', 'ca.pem')
  const [program = '', ...rest] = [...runner.command(file, authority), ...words]
  const trust = { CURL_CA_BUNDLE: authority, NODE_EXTRA_CA_CERTS: authority, SSL_CERT_FILE: authority }
  const child = spawn(program, rest, { cwd: folder, env: { ...process.env, ...trust, MAKOLA_KEY: key } })
  let output = ''
  let errors = ''
  child.stdout.on('data', (part: Buffer) => (output += part.toString('utf8')))
  child.stderr.on('data', (part: Buffer) => (errors += part.toString('utf8')))
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  return { code, output, errors }
}

/** 200, or the status that the sample reports when it is refused. */
function statusOf({ code, output, errors }: Outcome): number {
  if (code === 0) return 200
  const [, status] = /"code":(\d{3})|\b([45]\d{2}): /.exec(`${output}\n${errors}`) ?? []
  const found = status ?? /\b([45]\d{2}): /.exec(errors)?.[1] ?? /\b([45]\d{2}): /.exec(output)?.[1]
  if (found === undefined) throw new Error(`the sample said nothing that can be understood:\n${output}\n${errors}`)
  return Number(found)
}

const keyOf = (operation: Operation) => keys[/Takes an? (\w+) key/.exec(operation.description.join(' '))?.[1] ?? 'standard'] ?? ''

const mark = '=== ended:'

/**
 * A program in each language that runs the files in its arguments one after the other, and prints after each how it ended. One
 * process for all is faster, because most of a sample's time is the start of its interpreter.
 */
const runsAll: Readonly<Record<string, string>> = {
  curl: `for file; do . "$file" 2>&1; code=$?; printf '\n${mark}%s\n' "$([ $code = 0 ] || echo "curl $code")"; done`,
  javascript: `for (const file of process.argv.slice(2)) {
  const ended = await import(file).then(() => '', ({ message }) => message)
  console.log('\\n${mark}' + ended)
}`,
  php: `<?php
foreach (array_slice($argv, 1) as $file) {
  $ended = '';
  try { (static function () use ($file) { require $file; })(); } catch (Throwable $error) { $ended = $error->getMessage(); }
  echo "\\n${mark}$ended\\n";
}`,
  python: `import runpy, sys
for file in sys.argv[1:]:
  ended = ""
  try: runpy.run_path(file)
  except BaseException as error: ended = str(error)
  print("\\n${mark}" + ended, flush=True)`,
}

/** Runs the sample of every operation, those of one key in one process. */
async function runAll(language: string): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  for (const key of new Set(operations.map(keyOf))) {
    const own = operations.filter((operation) => keyOf(operation) === key)
    const files = own.map(({ id }) => join(folder, `${id}-${runners[language]?.file}`))
    for (const [index, operation] of own.entries()) {
      const sample = writeSamples(operation, `${app.url}/api/v2`).find((each) => each.language === language)
      await writeFile(files[index] ?? '', sample?.code ?? '')
    }
    const { output, errors } = await run({ language, name: language, code: runsAll[language] ?? '' }, key, files)
    const parts = output.split(`\n${mark}`)
    expect({ parts: parts.length, errors }).toEqual({ parts: own.length + 1, errors })
    for (const [index, { id }] of own.entries()) {
      // The first line of a part tells how the sample before it ended.
      const printed = index === 0 ? parts[0] : parts[index]?.split('\n').slice(1).join('\n')
      const [ended = ''] = parts[index + 1]?.split('\n') ?? []
      outcomes.set(id, { code: ended === '' ? 0 : 1, output: printed ?? '', errors: ended })
    }
  }
  return outcomes
}

describe('the samples', () => {
  test.for(languages)(
    'in %s run against the API, get an answer that their endpoint lists, and buy a bundle',
    async (language, { skip }) => {
      skip(isMissing(language), 'its interpreter is not here')
      const ofEach = await runAll(language)
      for (const { id, answers } of operations) {
        const outcome = ofEach.get(id)
        if (!outcome) throw new Error(`the sample of ${id} did not run`)
        const answered = statusOf(outcome)
        const isListed = answers.some(({ status }) => status === answered)
        expect({ id, answered, isListed, ...outcome }).toEqual({ id, answered, isListed: true, ...outcome })
        // A product without suppliers in this test answers 503. An answer 500 is a bug.
        expect([id, answered]).not.toEqual([id, 500])
      }
      const needed = ['listPackages', 'purchaseData', 'findDataOrder', 'readWalletBalance', 'readAccountRole']
      expect(needed.map((id) => [id, ofEach.get(id)?.code])).toEqual(needed.map((id) => [id, 0]))
      expect(ofEach.get('findDataOrder')?.output).toContain('order-2026-0001')
    },
  )

  test.for(languages)('in %s show a refusal when there is one', async (language, { skip }) => {
    skip(isMissing(language), 'its interpreter is not here')
    const operation = operations.find((each) => each.id === 'readWalletBalance')
    const sample = operation && writeSamples(operation, `${app.url}/api/v2`).find((each) => each.language === language)
    if (!sample) throw new Error('no sample')
    const outcome = await run(sample, 'makola_live_wrong')
    expect(outcome.code).not.toBe(0)
    expect(statusOf(outcome)).toBe(401)
  })
})

describe('the program of the page on retries', () => {
  test.for(languages)(
    'in %s buys once, waits for the end, and finds the same order when it is run again',
    async (language, { skip }) => {
      skip(isMissing(language), 'its interpreter is not here')
      const sample = (await readPrograms(app.url)).get('buy-with-retries')?.find((each) => each.language === language)
      if (!sample) throw new Error(`no program in ${language}`)
      const reference = `program-${language}`
      const balanceOf = async () =>
        (await app.call('GET', '/wallet/balance', { key: keys['standard'] ?? '' })).body.data.balance as number
      const before = await balanceOf()
      const running = run(sample, keys['standard'] ?? '', [reference])
      // No worker runs here; the order ends when the test says so.
      await untilTrue(
        async () => (await app.call('GET', `/orders/${reference}`, { key: keys['standard'] ?? '' })).status === 200,
        () => 'it did not buy',
      )
      await app.database.db.updateTable('orders').set({ status: 'completed' }).where('reference', '=', reference).execute()
      expect(await running).toMatchObject({ code: 0, output: expect.stringContaining(`${reference} completed`) })
      expect(await run(sample, keys['standard'] ?? '', [reference])).toMatchObject({ code: 0 })
      expect(before - (await balanceOf())).toBeCloseTo(5.2, 2)
    },
  )

  test.for(languages)('in %s gives up at once on a refusal', async (language, { skip }) => {
    skip(isMissing(language), 'its interpreter is not here')
    const sample = (await readPrograms(app.url)).get('buy-with-retries')?.find((each) => each.language === language)
    if (!sample) throw new Error(`no program in ${language}`)
    const outcome = await run(sample, 'makola_live_wrong', [`refused-${language}`])
    expect(outcome.code).toBe(1)
    expect(statusOf(outcome)).toBe(401)
  })
})

describe('the program of the page on lists', () => {
  /** Puts a client that the server gives out where the programs look for it, as its page says. */
  const installers: Readonly<Record<string, (file: string) => Promise<unknown>>> = {
    async javascript(file) {
      const cwd = join(folder, 'node_modules', 'makola-client')
      await mkdir(cwd, { recursive: true })
      await extract({ file, cwd, strip: 1 })
    },
    php: (file) => rename(file, join(folder, 'makola-client.php')),
    // As pip does, unpacks the wheel into the folder.
    python: (file) => promisify(execFile)('python3', ['-m', 'zipfile', '-e', file, folder]),
  }

  async function install(language: string): Promise<void> {
    const ending = { javascript: '.tgz', php: '.php', python: '.whl' }[language] ?? ''
    const client = (await readClients()).find(({ name }) => name.endsWith(ending))
    const file = join(folder, client?.name ?? '')
    const words = ['--fail', '--silent', '--show-error', '--cacert', join(app.dataDir, 'tls', 'ca.pem')]
    await promisify(execFile)('curl', [...words, '--output', file, `${app.url}/docs/clients/${client?.name}`])
    await installers[language]?.(file)
  }

  test.for(Object.keys(installers))(
    'in %s with the client that the server gives out, finds what differs from the own books',
    async (language, { skip }) => {
      skip(isMissing(language), 'its interpreter is not here')
      await install(language)
      const { key } = await app.makeReseller()
      await app.untilSeen()
      const day = await readTodayThatLasts()
      const buy = (reference: string) => {
        const body = { network: 'Telecel', volume_gb: 1, recipient: '0201234567', reference: `${language}-${reference}` }
        return app.call('POST', '/data/purchase', { key, body }).then((bought) => bought.body.data)
      }
      const [same, other] = [await buy('same'), await buy('other'), await buy('forgotten')]
      const sample = (await readPrograms(app.url)).get('reconcile')?.find((each) => each.language === language)
      if (!sample) throw new Error(`no program in ${language}`)
      const reconcile = async (books: object) => {
        await writeFile(join(folder, 'own.json'), JSON.stringify(books))
        const { code, output, errors } = await run(sample, key, [day, 'own.json'])
        return { code, lines: [...output.trim().split('\n').toSorted(), ...(errors === '' ? [] : [errors])] }
      }
      const noted = { status: 'pending', price: same.price }
      const otherPrice = Number((other.price + 0.01).toFixed(2))
      const [sameAs, otherAs, missing, unknown] = ['same', 'other', 'forgotten', 'never'].map((name) => `${language}-${name}`)
      const found = await reconcile({
        [sameAs ?? '']: noted,
        [otherAs ?? '']: { status: 'pending', price: otherPrice },
        [unknown ?? '']: noted,
      })
      expect(found.code).toBe(1)
      expect(found.lines).toEqual(
        [
          `${day}: 3 orders, 3 differences`,
          `${missing}: only here, pending ${same.price}`,
          `${unknown}: only in your books, so nothing was charged that day`,
          `${otherAs}: pending ${otherPrice} in your books, pending ${other.price} here`,
        ].toSorted(),
      )
      const right = await reconcile({ [sameAs ?? '']: noted, [otherAs ?? '']: noted, [missing ?? '']: noted })
      expect(right).toEqual({ code: 0, lines: [`${day}: 3 orders, 0 differences`] })
    },
  )
})

describe('the receiver of the page on webhooks', () => {
  /** The command that starts the receiver of each language. PHP gets the port as an argument, the others in `PORT`. */
  const starters: Readonly<Record<string, (file: string, port: number) => string[]>> = {
    javascript: (file) => [process.execPath, file],
    php: (file, port) => ['php', '-S', `127.0.0.1:${port}`, file],
    python: (file) => ['python3', file],
  }

  test.for(Object.keys(starters))('in %s takes an event once, and nothing that we did not sign', async (language, { skip }) => {
    skip(isMissing(language), 'its interpreter is not here')
    const sample = (await readPrograms(app.url)).get('receive-webhooks')?.find((each) => each.language === language)
    const cwd = join(folder, `receiver-${language}`)
    const file = join(cwd, runners[language]?.file ?? '')
    await mkdir(cwd)
    await writeFile(file, sample?.code ?? '')
    const port = await findFreePort('127.0.0.1')
    const secret = makeWebhookSecret()
    const [program = '', ...words] = starters[language]?.(file, port) ?? []
    const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret }
    const child = spawn(program, words, { cwd, env, stdio: 'ignore' })
    const now = Math.floor(Date.now() / 1_000)
    const body = JSON.stringify({ type: 'order.completed', timestamp: new Date().toISOString(), data: { reference: 'é-1' } })
    const send = (id: string, signature: string, at = now) =>
      fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        headers: { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': signature },
        body,
      }).then(({ status }) => status)
    try {
      await untilTrue(
        () => send('none', 'v1,nothing').then(Boolean, () => false),
        () => `${program} does not listen`,
      )
      const signed = signWebhook([makeWebhookSecret(), secret], 'id-1', now, body)
      expect(await send('id-2', signed)).toBe(400)
      expect(await send('id-1', `${signed.slice(0, -2)}\u00e9\u00e9`)).toBe(400)
      expect(await send('id-1', signWebhook([secret], 'id-1', now - 400, body), now - 400)).toBe(400)
      expect([await send('id-1', signed), await send('id-1', signed)]).toEqual([204, 204])
      expect(await readdir(join(cwd, 'events'))).toEqual(['id-1.json'])
      expect(await readFile(join(cwd, 'events', 'id-1.json'), 'utf8')).toBe(body)
    } finally {
      child.kill()
      await once(child, 'close')
    }
  })
})
