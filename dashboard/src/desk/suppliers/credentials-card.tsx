import { Link } from 'wouter'
import { post } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { State } from '../../both/list/state.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { credentialFields, givenOf } from '../frame/credential-fields.ts'
import { Facts } from '../frame/panel.tsx'
import { credentialTitle } from '../words/credentials.ts'
import { settingsWords } from '../words/suppliers.ts'
import type { DeskSupplier } from './ask-suppliers.ts'
import css from './suppliers.module.css'

/** Sets credentials. The typed texts are forgotten when the dialog closes, and no answer of the server shows them again. */
function SetCredentials({ supplier: { supplier, credentials } }: { readonly supplier: DeskSupplier }) {
  return (
    <Act
      label={settingsWords.setCredentials}
      question={settingsWords.setQuestion(supplier)}
      reason="needed"
      button={{ size: 'compact-sm' }}
      topics={['suppliers', 'approvals']}
      fields={credentialFields(credentials, ({ is_set: isSet }) => ({ help: isSet ? settingsWords.leaveEmpty : undefined }))}
      run={(reason, given) =>
        post('/desk/api/suppliers/{supplier}/credentials', { supplier, credentials: givenOf(given), reason })
      }
    >
      <p className="soft fine">{settingsWords.credentialsHelp}</p>
    </Act>
  )
}

/** Shows which credentials are set, and since when, but never the credentials. */
export function CredentialsCard({ supplier, mayChange }: { readonly supplier: DeskSupplier; readonly mayChange: boolean }) {
  const { credentials } = supplier
  if (credentials.length === 0) return null
  return (
    <>
      <div className={css.partHead}>
        <h2>{settingsWords.credentials}</h2>
        {mayChange && <SetCredentials supplier={supplier} />}
      </div>
      {supplier.proposal !== null && (
        <p>
          {settingsWords.credentialsWait} <Link href={`/approvals/${supplier.proposal}`}>{fieldWords.seeProposal}</Link>
        </p>
      )}
      <Facts
        label={settingsWords.credentials}
        facts={Object.fromEntries(
          credentials.map(({ name, is_set: isSet, set_at: at }) => [
            credentialTitle(name),
            <span key={name}>
              <State tone={isSet ? 'done' : 'fail'}>{isSet ? settingsWords.isSet : fieldWords.missing}</State>
              {at !== null && (
                <span className="soft fine">
                  {' '}
                  {settingsWords.setAt} <Moment at={at} />
                </span>
              )}
            </span>,
          ]),
        )}
      />
    </>
  )
}
