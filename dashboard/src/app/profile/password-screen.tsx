import { Page } from '../../both/layout/page.tsx'
import { ChangePasswordForm } from '../../both/sign-in/change-password-form.tsx'
import { profileWords } from '../words/profile.ts'

export default function PasswordScreen() {
  return (
    <Page title={profileWords.password}>
      <ChangePasswordForm face="/app/api" />
    </Page>
  )
}
