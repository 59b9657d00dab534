import { post } from '../../both/api/call-api.ts'
import { Page } from '../../both/layout/page.tsx'
import { ChangePasswordForm } from '../../both/sign-in/change-password-form.tsx'
import { profileWords } from '../words/profile.ts'

export default function PasswordScreen() {
  return (
    <Page title={profileWords.password}>
      <ChangePasswordForm change={(body) => post('/app/api/change-password', body)} />
    </Page>
  )
}
