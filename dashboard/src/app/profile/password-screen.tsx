import { answerOf, api } from '../../shared/api/call-api.ts'
import { Page } from '../../shared/layout/page.tsx'
import { ChangePasswordForm } from '../../shared/sign-in/change-password-form.tsx'
import { profileWords } from '../words/profile.ts'

/** Changes the person's password. */
export default function PasswordScreen() {
  return (
    <Page title={profileWords.password}>
      <ChangePasswordForm change={(body) => answerOf(() => api.POST('/app/api/change-password', { body }))} />
    </Page>
  )
}
