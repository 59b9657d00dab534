import { get, post, remove } from '../both/api/call-api.ts'
import type { SecondFactorCalls } from '../both/second-factor/second-factor.tsx'
import type { SessionCalls } from '../both/sessions/session-list.tsx'
import type { SignInCalls } from '../both/sign-in/sign-in-form.tsx'

/** The calls of the shared sign-in forms. */
export const signInCalls: SignInCalls = {
  signIn: (body) => post('/app/api/sign-in', body),
  giveSecondFactor: (body) => post('/app/api/second-factor', body),
}

export const secondFactorCalls: SecondFactorCalls = {
  begin: (body) => post('/app/api/two-factor', body),
  confirm: (body) => post('/app/api/two-factor/confirm', body),
  renewCodes: (body) => post('/app/api/two-factor/backup-codes', body),
  switchOff: (body) => post('/app/api/two-factor/switch-off', body),
}

export const sessionCalls: SessionCalls = {
  list: () => get('/app/api/sessions'),
  end: (session_id) => remove('/app/api/sessions/{session_id}', { session_id }),
  endOthers: () => remove('/app/api/sessions'),
}
