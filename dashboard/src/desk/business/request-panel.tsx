import { Link } from 'wouter'
import { post, type Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { CopyText } from '../../both/copy-text.tsx'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { StateOf } from '../../both/list/state.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { Acts, BeforeAfter, Facts, Panel } from '../frame/panel.tsx'
import { useMay } from '../me.ts'
import { requestStates, businessWords as words } from '../words/business.ts'

type Request = Schema<'DeskBusinessRequest'>
type Props = { readonly request: Request; readonly onActed: () => void }

const topics = ['business', 'accounts'] as const

function Decision({ request, onActed }: Props) {
  const { request_id, name } = request
  return (
    <Acts>
      <Act
        label={fieldWords.approve}
        question={words.approveQuestion(name)}
        button={{ variant: 'filled' }}
        run={() => post('/desk/api/business/{request_id}/approve', { request_id })}
        topics={topics}
        onDone={onActed}
      >
        <BeforeAfter before={words.notBusiness} after={words.business} />
        <p>{words.approveLead}</p>
      </Act>
      <Act
        label={fieldWords.decline}
        question={words.declineQuestion(name)}
        reason="needed"
        reasonHelp={fieldWords.accountReadsReason}
        isGrave
        run={(reason) => post('/desk/api/business/{request_id}/decline', { request_id, reason })}
        topics={topics}
        onDone={onActed}
      >
        <p>{words.declineLead}</p>
      </Act>
      <CopyText text={request.registration_number} />
    </Acts>
  )
}

/** One request: the business's own data, and the decision. */
export function RequestPanel({ id, onActed }: { readonly id: string; readonly onActed: () => void }) {
  const mayDecide = useMay('manage_accounts')
  const query = useRead('business', '/desk/api/business/{request_id}', { request_id: id })
  return (
    <QueryAnswer query={query}>
      {(request) => (
        <Panel title={request.name} state={<StateOf {...requestStates[request.state]} />} detail={request.registration_number}>
          {request.state === 'waiting' && mayDecide && <Decision request={request} onActed={onActed} />}
          <Facts
            label={words.facts}
            facts={{
              [fieldWords.purpose]: request.purpose,
              [fieldWords.account]: <Link href={`/accounts/${request.account_id}`}>{request.email}</Link>,
              [fieldWords.asked]: <Moment at={request.asked_at} />,
              [fieldWords.decidedBy]: request.decided_by,
              [fieldWords.decided]: request.decided_at && <Moment at={request.decided_at} />,
              [fieldWords.reason]: request.reason,
            }}
          />
        </Panel>
      )}
    </QueryAnswer>
  )
}
