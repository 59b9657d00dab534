import { writeFile } from 'node:fs/promises'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { chapters, runChecks } from './run-checks.ts'
import { lineOf, summaryOf, writeJUnit } from './write-reports.ts'

const usage = `Holds an implementation of the reseller API to its contract, from outside.

  makola-conformance --base-url https://shop.example.com/api/v2 --standard-key KEY [options]

  --standard-key, --sms-key, --commission-key
                      the keys; what needs one that is missing is not tried
  --spend-up-to GHS   no more than this is spent (0: nothing is bought)
  --phone NUMBER      an MTN number that gets the bundles, airtime and text that are bought
  --smartcard NUMBER  a DSTV account whose bill is paid with the least amount
  --run-id NAME       begins every reference: a run that is repeated under it pays nothing again
  --only CHAPTER      one chapter alone; may be given several times
  --json FILE         writes the findings as JSON
  --junit FILE        writes them as JUnit

Chapters: ${chapters.map(({ name }) => name).join(', ')}.
Exit code: 0 when no sentence is broken, 1 when one is, 2 when it was called wrongly.
`

const { values } = parseArgs({
  options: {
    'base-url': { type: 'string' },
    'standard-key': { type: 'string' },
    'sms-key': { type: 'string' },
    'commission-key': { type: 'string' },
    'spend-up-to': { type: 'string', default: '0' },
    phone: { type: 'string' },
    smartcard: { type: 'string' },
    'run-id': { type: 'string', default: `conf-${Date.now().toString(36)}` },
    only: { type: 'string', multiple: true },
    json: { type: 'string' },
    junit: { type: 'string' },
    help: { type: 'boolean' },
  },
})

/** @returns what is wrong with the words of the command; undefined when nothing is */
function faultOf(): string | undefined {
  const { only = [], 'base-url': baseUrl, 'spend-up-to': limit } = values
  if (!baseUrl || !URL.canParse(baseUrl)) return '--base-url is the address of the API.'
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol !== 'https:' && !['localhost', '127.0.0.1'].includes(hostname)) return '--base-url must begin with https://.'
  if (!(Number(limit) >= 0)) return '--spend-up-to is an amount in GHS.'
  const unknown = only.find((name) => !chapters.some((chapter) => chapter.name === name))
  return unknown && `There is no chapter ${unknown}.`
}

async function run(): Promise<number> {
  const report = await runChecks(
    {
      baseUrl: (values['base-url'] ?? '').replace(/\/+$/, ''),
      keys: {
        ...(values['standard-key'] && { standard: values['standard-key'] }),
        ...(values['sms-key'] && { sms: values['sms-key'] }),
        ...(values['commission-key'] && { commission: values['commission-key'] }),
      },
      spendUpTo: Number(values['spend-up-to']),
      runId: values['run-id'],
      phone: values.phone,
      smartcard: values.smartcard,
    },
    { only: values.only, note: (finding) => void process.stdout.write(`${lineOf(finding)}\n`) },
  )
  process.stdout.write(`\n${summaryOf(report)}\n`)
  if (values.json) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`)
  if (values.junit) await writeFile(values.junit, writeJUnit(report))
  return report.findings.some(({ outcome }) => outcome === 'broken') ? 1 : 0
}

const fault = values.help ? undefined : faultOf()
if (fault !== undefined) process.stderr.write(`${fault}\n\n${usage}`)
else if (values.help) process.stdout.write(usage)
process.exitCode = fault === undefined ? (values.help ? 0 : await run()) : 2
