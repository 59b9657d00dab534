import { post } from '../../both/api/call-api.ts'
import { Act } from '../../both/form/act.tsx'
import { BeforeAfter } from '../frame/panel.tsx'
import { staffWords as words } from '../words/staff.ts'

type Props = { readonly email: string; readonly onDone?: () => void }

export function ResetFactor({ email, onDone }: Props) {
  return (
    <Act
      label={words.reset}
      question={words.resetQuestion(email)}
      reason="needed"
      reasonLabel={words.resetReason}
      isGrave
      run={(reason) => post('/desk/api/persons/reset-second-factor', { email, reason })}
      topics={['staff', 'accounts']}
      {...(onDone && { onDone })}
    >
      <BeforeAfter before={words.withFactor} after={words.withoutFactor} />
      <p>{words.resetLead}</p>
    </Act>
  )
}
