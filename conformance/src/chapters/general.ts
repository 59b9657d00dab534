import { dataOf, must, mustAnswer, mustEqual, Untried } from '../answers.ts'
import { type Chapter, check } from '../check.ts'
import { moment, objectWith, oneOf } from '../shapes.ts'

/** Rules of every answer: envelopes, keys, errors, versions. */
export const general: readonly Chapter[] = [
  {
    name: 'Envelopes',
    checks: [
      check(
        'Envelopes, Success',
        'A success has success true, data, and meta with a timestamp and the version v2.',
        async (api) => {
          const { body, ...answer } = await api.ask('GET', '/wallet/balance')
          mustAnswer({ body, ...answer }, 200)
          mustEqual('success', body?.success, true)
          must(typeof body?.data === 'object' && body.data !== null, 'data should be an object')
          const problem = objectWith({ timestamp: moment, version: oneOf('v2') })(body?.meta, 'meta')
          must(problem === undefined, problem ?? '')
        },
      ),
      check(
        'Envelopes, Error',
        'A refusal has success false, error.code with the HTTP status, and error.message.',
        async (api) => {
          mustAnswer(await api.ask('GET', `/orders/${api.reference('never-placed')}`), 404)
        },
      ),
      check('What the service does, 3', 'Only HTTPS is accepted.', async (api) => {
        const url = new URL(api.target.baseUrl)
        if (url.protocol !== 'https:') throw new Untried('the address given is none of HTTPS')
        const plain = `http://${url.host}${url.pathname}/wallet/balance`
        // The key is not sent, because it would go over the network in the open.
        const answer = await fetch(plain, { redirect: 'manual', signal: AbortSignal.timeout(10_000) }).catch(() => undefined)
        must(answer === undefined || answer.status >= 300, `${plain} should not be answered, and was answered ${answer?.status}`)
      }),
    ],
  },
  {
    name: 'Authentication',
    checks: [
      check('Authentication, 4', 'A missing key returns 401.', async (api) => {
        mustAnswer(await api.ask('GET', '/wallet/balance', { key: 'none' }), 401)
      }),
      check('Authentication, 4', 'An invalid key returns 401.', async (api) => {
        mustAnswer(await api.ask('GET', '/wallet/balance', { key: { raw: 'conformance_live_wrong' } }), 401)
      }),
      check('Authentication, 1', 'The header Authorization holds the raw key, with no Bearer prefix.', async (api) => {
        mustAnswer(await api.ask('GET', '/wallet/balance', { key: { raw: `Bearer ${api.keyOf('standard')}` } }), 401)
      }),
      check('Authentication, 3', 'A commission key is rejected with 403 on an endpoint of standard keys.', async (api) => {
        mustAnswer(await api.ask('GET', '/wallet/balance', { key: 'commission' }), 403)
      }),
      check('Authentication, 3', 'An SMS key is rejected with 403 on an endpoint of standard keys.', async (api) => {
        mustAnswer(await api.ask('GET', '/packages', { key: 'sms' }), 403)
      }),
      check(
        'Authentication, 3',
        'A standard key is rejected with 403 on the endpoints of SMS, airtime and bills.',
        async (api) => {
          for (const path of ['/sms/balance', '/airtime/orders', '/utilities/billers'])
            mustAnswer(await api.ask('GET', path), 403)
        },
      ),
    ],
  },
  {
    name: 'Errors and versions',
    checks: [
      check('Errors, 400', 'A body that is no JSON is answered with 400.', async (api) => {
        mustAnswer(await api.ask('POST', '/data/verify-number', { rawBody: '{"network":' }), 400)
      }),
      check('Errors, 410', 'POST /wallet/topup always answers 410.', async (api) => {
        mustAnswer(await api.ask('POST', '/wallet/topup', { body: { amount: 10 } }), 410)
      }),
      check('Versioning, 2', 'Each success carries meta.version equal to v2.', async (api) => {
        for (const path of ['/account/role', '/packages', '/resultschecker/types', '/afa/orders']) {
          const answer = await api.ask('GET', path)
          dataOf(answer)
          mustEqual(`meta.version of ${path}`, answer.body?.meta?.version, 'v2')
        }
      }),
    ],
  },
]
