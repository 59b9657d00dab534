import { expect, it } from 'vitest'
import { makeTotpCode } from '../../test/make-totp-code.ts'
import { setUpPeople, testPassword } from '../../test/set-up-people.ts'
import { parseSecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { prepareAuth } from './auth/open-auth.ts'
import { encryptSecondFactorsAnew } from './encrypt-second-factors-anew.ts'
import { completeSignIn, signIn } from './sign-in.ts'

const shop = setUpPeople()
const newText = Buffer.alloc(32, 7).toString('base64')
const visitor = { session: undefined, secondFactor: undefined, device: undefined, userAgent: '', address: '127.0.0.1' }

it('a second factor outlives its key: after the rotation it is checked with the new key alone', async () => {
  const email = 'rotation@example.test'
  const browser = await shop.makeMember(email)
  const { data } = (await browser.ask('POST', '/app/api/two-factor', { password: testPassword })).body
  await browser.ask('POST', '/app/api/two-factor/confirm', { code: makeTotpCode(data.totp_uri) })

  const newKeys = parseSecretsKeys(newText, 'SECRETS_KEY')
  const both = { current: newKeys.current, byId: new Map([...newKeys.byId, ...shop.people.secretsKeys.byId]) }
  await expect(encryptSecondFactorsAnew(shop.db, newKeys)).rejects.toThrow('not found in keys')
  const done = await Promise.all([encryptSecondFactorsAnew(shop.db, both), encryptSecondFactorsAnew(shop.db, both)])
  expect(done[0] + done[1]).toBe(1)
  expect(await encryptSecondFactorsAnew(shop.db, newKeys)).toBe(0)

  const deps = { ...shop.people, openAuth: prepareAuth({ ...shop.people, secretsKeys: newKeys }) }
  for (const given of [{ code: await shop.codeOnceMore(data.totp_uri) }, { backup_code: String(data.backup_codes[0]) }]) {
    const { status, cookies } = await signIn(deps, { email, password: testPassword }, visitor)
    expect(status).toBe('second_factor')
    const secondFactor = /=([^;]*)/.exec(cookies.find((cookie) => cookie.includes('second_factor')) ?? '')?.[1]
    expect((await completeSignIn(deps, given, { ...visitor, secondFactor })).status).toBe('signed_in')
  }
})
