import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { post } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { Big, Card, Section } from '../../both/layout/page.tsx'
import { Empty, QueryAnswer } from '../../both/layout/query-states.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { exactMoment } from '../../both/moments/format-moment.ts'
import { Moment } from '../../both/moments/moment.tsx'
import look from '../frame/look.module.css'
import { BeforeAfter, Facts, Panel } from '../frame/panel.tsx'
import { useMay } from '../me.ts'
import { switchWords, titleOfSetting } from '../words/switches.ts'
import { ChangeSetting, sendChange } from './change-setting.tsx'
import { Countdown } from './return-time.tsx'
import { type Setting, showValue } from './show-value.ts'
import css from './switches.module.css'

/** For a setting that guards money or rights: says that loosening it takes two people, and shows the proposal that waits. */
function Guard({ setting: { guards, proposal } }: { readonly setting: Setting }) {
  if (!guards) return null
  return (
    <>
      <p className={css.note}>{switchWords.takesTwo}</p>
      {proposal && (
        <Card tone="gold">
          <p>{switchWords.looseningWaits(proposal.by, proposal.before ?? '', proposal.after ?? '')}</p>
          <Link href={`/approvals/${proposal.approval_id}`}>{fieldWords.seeProposal}</Link>
        </Card>
      )}
    </>
  )
}

/** The value of a setting as JSON, for kinds of which `showValue` may show only a summary. */
function WholeValue({ setting }: { readonly setting: Setting }) {
  const { field, value } = setting
  if (!['rows', 'numbers', 'json'].includes(field.kind)) return null
  return <pre className={css.whole}>{JSON.stringify(value, null, 1)}</pre>
}

/** The time at which the setting gets another value by itself, and the actions on this change. */
function WaitingReturn({ setting, children }: { readonly setting: Setting; readonly children?: ReactNode }) {
  const { name, returns } = setting
  if (!returns) return null
  const to = showValue(setting, returns.to)
  return (
    <Card tone="gold">
      <b>
        {switchWords.returnsIn(to, '')}
        <Countdown to={returns.at} />
      </b>
      <p>
        {exactMoment(returns.at)} · {switchWords.changedBy(returns.by, returns.reason)}
      </p>
      {returns.refused_because !== null && (
        <p>
          <b>{switchWords.notPossible}:</b> {returns.refused_because}
        </p>
      )}
      {children && (
        <div className={look.acts}>
          <Act
            label={switchWords.backNow}
            question={switchWords.backQuestion}
            reason="needed"
            topics={['switches']}
            run={(reason) => sendChange(name, returns.to, reason, undefined)}
          >
            <BeforeAfter before={showValue(setting, setting.value)} after={to} />
          </Act>
          {children}
        </div>
      )}
    </Card>
  )
}

function KeepSetting({ setting }: { readonly setting: Setting }) {
  const { name } = setting
  return (
    <Act
      label={switchWords.keep}
      question={switchWords.keepQuestion}
      reason="needed"
      topics={['switches']}
      button={{ variant: 'default' }}
      run={(reason) => post('/desk/api/settings/{name}/keep', { name, reason })}
    >
      <p>{switchWords.keepHelp(showValue(setting, setting.value))}</p>
    </Act>
  )
}

function History({ setting }: { readonly setting: Setting }) {
  const { name } = setting
  const history = useRead('switches', '/desk/api/settings/{name}/history', { name })
  return (
    <Section title={switchWords.history}>
      <QueryAnswer query={history} lines={1}>
        {({ changes }) =>
          changes.length === 0 ? (
            <Empty title={switchWords.noHistory} />
          ) : (
            <Card>
              <Rows label={switchWords.history}>
                {changes.map((change) => (
                  <Row
                    key={change.at}
                    title={
                      change.is_kept
                        ? switchWords.kept
                        : `${showValue(setting, change.before)} → ${showValue(setting, change.after)}`
                    }
                    detail={`${change.is_by_itself ? switchWords.byItself : change.by}${change.reason === null ? '' : ` · ${change.reason}`}`}
                    end={<Moment at={change.at} />}
                  />
                ))}
              </Rows>
            </Card>
          )
        }
      </QueryAnswer>
    </Section>
  )
}

/** One setting: its purpose, its value, the actions on it, and its history. */
export function SettingPanel({ setting }: { readonly setting: Setting }) {
  const mayChange = useMay('manage_settings')
  return (
    <Panel title={titleOfSetting(setting.name)} detail={<code>{setting.name}</code>}>
      <p className="soft fine">{setting.help}</p>
      <Big label={fieldWords.value} value={showValue(setting, setting.value)} />
      <WholeValue setting={setting} />
      <Guard setting={setting} />
      <WaitingReturn setting={setting}>{mayChange && <KeepSetting setting={setting} />}</WaitingReturn>
      {mayChange && (
        <div className={look.acts}>
          <ChangeSetting key={JSON.stringify(setting.value)} setting={setting} />
        </div>
      )}
      <Facts
        label={switchWords.allowed}
        facts={{
          [switchWords.default]: showValue(setting, setting.default),
          [switchWords.allowed]: setting.allowed,
        }}
      />
      <History setting={setting} />
    </Panel>
  )
}
