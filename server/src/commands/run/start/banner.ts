import { relative } from 'node:path'
import type { Config } from '../../../config.ts'
import { type DemoKeys, demoKeysFile, demoSignInsFile, type ShownSignIns } from '../../../demo/demo-files.ts'

export type BannerFacts = {
  config: Config
  keys: DemoKeys | undefined
  areKeysNew: boolean
  /** The e-mails and passwords of the demo's two persons. */
  signIns: ShownSignIns | undefined
  startMilliseconds: number
}

const exampleReference = 'my-first-order'

/** Adds quotes only where a shell needs them. */
function shellWord(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** The option that makes curl trust our local certificate; empty for any other. */
function trustWords(config: Config): string {
  if (config.tls.kind !== 'local') return ''
  const file = `${config.dataDir}/tls/ca.pem`
  const near = relative('.', file)
  return ` --cacert ${shellWord(near.startsWith('..') ? file : near)}`
}

function signInLines({ config, signIns }: BannerFacts): string[] {
  if (!config.demo || !signIns) return []
  const { reseller, operator } = signIns
  return [
    '',
    '  Sign in with these, which are kept in',
    `  ${demoSignInsFile(config.dataDir)}:`,
    `    ${'Reseller'.padEnd(10)}${config.publicUrl}/app    ${reseller.email}    ${reseller.password}`,
    `    ${'Operator'.padEnd(10)}${config.publicUrl}/desk   ${operator.email}   ${operator.password}`,
    ...(config.isStaffTwoFactorNeeded
      ? ['  The desk asks for a second factor first; STAFF_TWO_FACTOR=off does without, here alone.']
      : []),
    ...(config.tls.kind === 'local'
      ? ['  The browser warns of our own certificate: go on, or let it trust tls/ca.pem of the data.']
      : []),
  ]
}

const exampleBody = `{"network":"MTN","volume_gb":1,"recipient":"0241234567","reference":"${exampleReference}"}`

/** The two calls to try first. `keyHeader` is the header with the key, as words of a shell. */
function exampleCalls(config: Config, keyHeader: string): { readonly buy: string; readonly look: string } {
  const curl = `curl${trustWords(config)} -H ${keyHeader}`
  return {
    buy: `${curl} -H 'Content-Type: application/json' -d '${exampleBody}' ${config.publicUrl}/api/v2/data/purchase`,
    look: `${curl} ${config.publicUrl}/api/v2/orders/${exampleReference}`,
  }
}

/** The calls to try first, for a log: they read the key from its file, because a log must hold no keys. */
export function listExampleCalls(config: Config): string[] {
  const readKey = `node -p ${shellWord(`require(${JSON.stringify(demoKeysFile(config.dataDir))}).standard`)}`
  return Object.values(exampleCalls(config, `"Authorization: $(${readKey})"`))
}

function demoLines({ config, keys, areKeysNew }: BannerFacts): string[] {
  if (!config.demo) return []
  if (!keys) return ['', `  The demo's keys are not in ${demoKeysFile(config.dataDir)}; make one with \`npx makola key create\`.`]
  const { buy, look } = exampleCalls(config, `'Authorization: ${keys.standard}'`)
  return [
    '',
    '  Buy a data bundle with the demo account:',
    '',
    `  ${buy}`,
    '',
    '  and see what became of it:',
    '',
    `  ${look}`,
    '',
    ...(areKeysNew
      ? [
          `  The demo account's keys, shown this once:`,
          ...Object.entries(keys).map(([type, key]) => `    ${type.padEnd(11)} ${key}`),
        ]
      : []),
    `  Keys are kept in ${demoKeysFile(config.dataDir)}.`,
  ]
}

/** The text that `makola start` shows on a terminal once everything runs. */
export function bannerText(facts: BannerFacts): string {
  const { config, startMilliseconds } = facts
  const money = config.suppliers === 'simulator' ? 'simulated suppliers, play money' : 'live suppliers, real money'
  return [
    '',
    `  Makola is ready after ${(startMilliseconds / 1000).toFixed(1)} s: ${money}.`,
    '',
    `  App         ${config.publicUrl}/app`,
    `  Desk        ${config.publicUrl}/desk`,
    `  API         ${config.publicUrl}/api/v2`,
    `  Docs        ${config.publicUrl}/docs`,
    `  OpenAPI     ${config.publicUrl}/openapi.json`,
    `  Data        ${config.dataDir}`,
    ...(config.hasTestSide ? ['  Test keys   on: they buy from a simulator, with play money'] : []),
    ...signInLines(facts),
    ...demoLines(facts),
    '',
    '  Stop with Ctrl-C.',
    '',
  ].join('\n')
}
