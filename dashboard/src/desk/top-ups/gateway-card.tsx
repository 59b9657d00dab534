import { Link } from 'wouter'
import { post, type Schema } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { ActNow } from '../../both/form/act-now.tsx'
import { Card } from '../../both/layout/page.tsx'
import { State } from '../../both/list/state.tsx'
import { credentialFields, givenOf } from '../frame/credential-fields.ts'
import { Acts, BeforeAfter, Facts, Panel } from '../frame/panel.tsx'
import { useMay } from '../me.ts'
import { credentialTitle } from '../words/credentials.ts'
import { topUpWords as words } from '../words/top-ups.ts'

type Gateway = Schema<'GatewayList'>['gateways'][number]
type Props = { readonly gateway: Gateway }

function stateOf({ is_set_up: isSetUp, is_enabled: isEnabled }: Gateway) {
  if (!isSetUp) return <State tone="plain">{words.notSetUp}</State>
  return <State tone={isEnabled ? 'done' : 'wait'}>{isEnabled ? words.offered : words.switchedOff}</State>
}

function SwitchGateway({ gateway }: Props) {
  const isOn = !gateway.is_enabled
  const [before, after] = isOn ? [words.switchedOff, words.offered] : [words.offered, words.switchedOff]
  return (
    <Act
      label={isOn ? fieldWords.switchOn : fieldWords.switchOff}
      question={words.switchQuestion(gateway.company, isOn)}
      reason="needed"
      isGrave={!isOn}
      run={(reason) => post('/desk/api/gateways/{gateway}', { gateway: gateway.gateway, is_enabled: isOn, reason })}
      topics={['top-ups']}
    >
      <BeforeAfter before={before} after={after} />
      <p>{words.switchLead}</p>
    </Act>
  )
}

/** Sets a gateway's keys. Nothing shows them again. */
function SetKeys({ gateway: { gateway, company, is_set_up: isSetUp, credentials } }: Props) {
  const ownOf = ({ is_set: isSet }: { readonly is_set: boolean }) => ({
    help: isSet ? words.isSet : fieldWords.missing,
    isNeeded: !isSet,
  })
  return (
    <Act
      label={isSetUp ? words.setKeys : words.setUp}
      question={words.keysQuestion(company)}
      action={fieldWords.save}
      reason="needed"
      fields={credentialFields(credentials, ownOf)}
      run={(reason, given) => post('/desk/api/gateways/{gateway}', { gateway, credentials: givenOf(given), reason })}
      topics={['top-ups', 'approvals']}
    >
      {isSetUp && <p>{words.keysLead}</p>}
    </Act>
  )
}

function TryGateway({ gateway }: Props) {
  return (
    <ActNow
      label={words.test}
      variant="default"
      run={() => post('/desk/api/gateways/{gateway}/test', { gateway: gateway.gateway })}
      topics={[]}
      done={({ is_well: isWell, said }) => (
        <State tone={isWell ? 'done' : 'fail'}>{isWell ? words.testWell : words.testBad(said)}</State>
      )}
    />
  )
}

export function GatewayCard({ gateway }: Props) {
  const mayManage = useMay('manage_settings')
  return (
    <Card>
      <Panel title={gateway.company} state={stateOf(gateway)} detail={gateway.title}>
        <Facts
          label={gateway.company}
          facts={{
            [fieldWords.address]: gateway.base_url,
            ...Object.fromEntries(
              gateway.credentials.map(({ name, is_set: isSet }) => [
                credentialTitle(name),
                <State key={name} tone={isSet ? 'done' : 'plain'}>
                  {isSet ? words.isSet : fieldWords.missing}
                </State>,
              ]),
            ),
          }}
        />
        {gateway.proposal !== null && (
          <p>
            {words.keysWait} <Link href={`/approvals/${gateway.proposal}`}>{fieldWords.seeProposal}</Link>
          </p>
        )}
        {mayManage && (
          <Acts>
            <SetKeys gateway={gateway} />
            {gateway.is_set_up && <SwitchGateway key={`${gateway.is_enabled}`} gateway={gateway} />}
            <TryGateway gateway={gateway} />
          </Acts>
        )}
      </Panel>
    </Card>
  )
}
