import { Button, PasswordInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Act } from '../../both/form/act.tsx'
import { Card } from '../../both/layout/page.tsx'
import { Failure } from '../../both/layout/wait.tsx'
import { State } from '../../both/list/state.tsx'
import { Acts, BeforeAfter, Facts, Panel } from '../frame/panel.tsx'
import { useMay } from '../me.ts'
import { credentialTitle } from '../words/credentials.ts'
import { topUpWords as words } from '../words/top-ups.ts'

type Gateway = components['schemas']['GatewayList']['gateways'][number]
type Props = { readonly gateway: Gateway }

const paramsOf = ({ gateway }: Gateway) => ({ path: { gateway } })

function stateOf({ is_set_up: isSetUp, is_enabled: isEnabled }: Gateway) {
  if (!isSetUp) return <State tone="plain">{words.notSetUp}</State>
  return <State tone={isEnabled ? 'done' : 'wait'}>{isEnabled ? words.offered : words.switchedOff}</State>
}

function SwitchGateway({ gateway }: Props) {
  const isOn = !gateway.is_enabled
  const [before, after] = isOn ? [words.switchedOff, words.offered] : [words.offered, words.switchedOff]
  return (
    <Act
      label={isOn ? words.switchOn : words.switchOff}
      question={words.switchQuestion(gateway.company, isOn)}
      reason="needed"
      isGrave={!isOn}
      run={(reason) =>
        answerOf(() =>
          api.POST('/desk/api/gateways/{gateway}', { params: paramsOf(gateway), body: { is_enabled: isOn, reason } }),
        )
      }
      topics={['top-ups']}
    >
      <BeforeAfter before={before} after={after} />
      <p>{words.switchLead}</p>
    </Act>
  )
}

/** Sets keys, which nothing shows again. */
function SetKeys({ gateway }: Props) {
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({})
  const credentials = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  return (
    <Act
      label={gateway.is_set_up ? words.setKeys : words.setUp}
      question={words.keysQuestion(gateway.company)}
      action={words.save}
      reason="needed"
      run={(reason) =>
        answerOf(() => api.POST('/desk/api/gateways/{gateway}', { params: paramsOf(gateway), body: { credentials, reason } }))
      }
      topics={['top-ups', 'approvals']}
      onDone={() => setGiven({})}
    >
      {gateway.is_set_up && <p>{words.keysLead}</p>}
      {gateway.credentials.map(({ name, is_set: isSet }) => (
        <PasswordInput
          key={name}
          mt={12}
          label={credentialTitle(name)}
          description={isSet ? words.isSet : words.isMissing}
          autoComplete="new-password"
          maxLength={2_000}
          required={!isSet}
          value={given[name] ?? ''}
          onChange={({ currentTarget }) => setGiven({ ...given, [name]: currentTarget.value })}
        />
      ))}
    </Act>
  )
}

function TryGateway({ gateway }: Props) {
  const trying = useMutation({
    mutationFn: () => answerOf(() => api.POST('/desk/api/gateways/{gateway}/test', { params: paramsOf(gateway) })),
  })
  return (
    <>
      <Button variant="default" loading={trying.isPending} onClick={() => trying.mutate()}>
        {words.test}
      </Button>
      <div role="status" style={{ flexBasis: '100%' }}>
        {trying.data && (
          <State tone={trying.data.is_well ? 'done' : 'fail'}>
            {trying.data.is_well ? words.testWell : words.testBad(trying.data.said)}
          </State>
        )}
        {trying.isError && <Failure error={trying.error} />}
      </div>
    </>
  )
}

export function GatewayCard({ gateway }: Props) {
  const mayManage = useMay('manage_settings')
  return (
    <Card>
      <Panel title={gateway.company} state={stateOf(gateway)} detail={gateway.title}>
        <Facts
          label={gateway.company}
          facts={[
            { label: words.address, value: gateway.base_url },
            ...gateway.credentials.map(({ name, is_set: isSet }) => ({
              label: credentialTitle(name),
              value: <State tone={isSet ? 'done' : 'plain'}>{isSet ? words.isSet : words.isMissing}</State>,
            })),
          ]}
        />
        {gateway.proposal !== null && (
          <p>
            {words.keysWait} <Link href={`/approvals/${gateway.proposal}`}>{words.seeProposal}</Link>
          </p>
        )}
        {mayManage && (
          <Acts>
            <SetKeys gateway={gateway} />
            {gateway.is_set_up && <SwitchGateway gateway={gateway} />}
            <TryGateway gateway={gateway} />
          </Acts>
        )}
      </Panel>
    </Card>
  )
}
