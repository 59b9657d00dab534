import { fieldWords } from '../../both/field-words.ts'
import { Page } from '../../both/layout/page.tsx'
import { ChangePasswordForm } from '../../both/sign-in/change-password-form.tsx'

export default function PasswordScreen() {
  return (
    <Page title={fieldWords.password}>
      <ChangePasswordForm face="/app/api" />
    </Page>
  )
}
