import { answerOf, api } from '../both/api/call-api.ts'
import type { SecondFactorCalls } from '../both/second-factor/second-factor.tsx'
import type { SessionCalls } from '../both/sessions/session-list.tsx'
import type { SignInCalls } from '../both/sign-in/sign-in-form.tsx'

/** The calls of the shared sign-in forms at the desk. */
export const deskSignInCalls: SignInCalls = {
  signIn: (body) => answerOf(() => api.POST('/desk/api/sign-in', { body })),
  giveSecondFactor: (body) => answerOf(() => api.POST('/desk/api/second-factor', { body })),
}

export const deskSecondFactorCalls: SecondFactorCalls = {
  begin: (body) => answerOf(() => api.POST('/desk/api/two-factor', { body })),
  confirm: (body) => answerOf(() => api.POST('/desk/api/two-factor/confirm', { body })),
  renewCodes: (body) => answerOf(() => api.POST('/desk/api/two-factor/backup-codes', { body })),
  switchOff: (body) => answerOf(() => api.POST('/desk/api/two-factor/switch-off', { body })),
}

export const deskSessionCalls: SessionCalls = {
  list: () => answerOf(() => api.GET('/desk/api/sessions')),
  end: (session_id) => answerOf(() => api.DELETE('/desk/api/sessions/{session_id}', { params: { path: { session_id } } })),
  endOthers: () => answerOf(() => api.DELETE('/desk/api/sessions')),
}
