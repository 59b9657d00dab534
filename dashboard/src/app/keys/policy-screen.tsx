import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { post, type Schema } from '../../both/api/call-api.ts'
import { useAct, useRead } from '../../both/api/use-read.ts'
import { Page } from '../../both/layout/page.tsx'
import { Failure, QueryAnswer } from '../../both/layout/query-states.tsx'
import { State } from '../../both/list/state.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { useMay } from '../me.ts'
import { keyWords } from '../words/keys.ts'
import css from './keys.module.css'

type Policy = Schema<'DeveloperPolicy'>

function PolicyText({ policy }: { readonly policy: Policy }) {
  return (
    <article className={css.policy}>
      <p className="soft fine">{keyWords.version(policy.version, policy.in_force_from)}</p>
      {policy.parts.map(({ heading, texts, rules }) => (
        <div key={heading ?? ''}>
          {heading !== null && <h2>{heading}</h2>}
          {texts.map((text) => (
            <p key={text}>{text}</p>
          ))}
          {rules.length > 0 && (
            <ul>
              {rules.map((rule) => (
                <li key={rule}>{rule}</li>
              ))}
            </ul>
          )}
        </div>
      ))}
    </article>
  )
}

/** The button to accept the policy, or the day on which it was accepted. */
function PolicyFoot({ policy }: { readonly policy: Policy }) {
  const mayAccept = useMay('manage_keys')
  const accepting = useAct(() => post('/app/api/policy/acceptance', { version: policy.version }), ['policy', 'keys', 'home'])
  if (policy.accepted_version === policy.version) {
    return (
      <div className={css.actions} style={{ alignItems: 'center', paddingTop: 0 }}>
        <State tone="done">
          {keyWords.acceptedAt} {policy.accepted_at !== null && <Moment at={policy.accepted_at} />}
        </State>
        <Button component={Link} href="/developer" style={{ flex: 1 }}>
          {keyWords.backToKeys}
        </Button>
      </div>
    )
  }
  if (!mayAccept) return <p>{keyWords.ownerOnly}</p>
  return (
    <>
      <p className="soft fine">{policy.accepted_version === null ? keyWords.acceptHint : keyWords.newerVersion}</p>
      <Button fullWidth mt={8} loading={accepting.isPending} onClick={() => accepting.mutate()}>
        {keyWords.accept}
      </Button>
      {accepting.isError && <Failure error={accepting.error} />}
    </>
  )
}

export default function PolicyScreen() {
  const policy = useRead('policy', '/app/api/policy')
  return (
    <Page title={keyWords.policyLink} foot={policy.data && <PolicyFoot policy={policy.data} />}>
      <QueryAnswer query={policy} lines={6}>
        {(text) => <PolicyText policy={text} />}
      </QueryAnswer>
    </Page>
  )
}
