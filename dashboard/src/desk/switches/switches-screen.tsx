import { NativeSelect, TextInput } from '@mantine/core'
import { useCallback } from 'react'
import { Link } from 'wouter'
import type { Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { foldLetters } from '../../both/find/match-words.ts'
import { bindText } from '../../both/form/typed.ts'
import { ListWithPanel } from '../../both/layout/beside.tsx'
import { Page, Section } from '../../both/layout/page.tsx'
import { Empty, QueryAnswer } from '../../both/layout/query-states.tsx'
import { State } from '../../both/list/state.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { Moment } from '../../both/moments/moment.tsx'
import { useMay } from '../me.ts'
import { frameWords } from '../words/frame.ts'
import { personalWords } from '../words/personal.ts'
import { switchWords, titleOfSetting } from '../words/switches.ts'
import { CommissionTerms } from './commission-terms.tsx'
import { Countdown } from './return-time.tsx'
import { SettingPanel } from './setting-panel.tsx'
import { type Setting, showValue } from './show-value.ts'
import css from './switches.module.css'

type Group = Schema<'SettingGroup'>

function Value({ setting }: { readonly setting: Setting }) {
  const { value, field } = setting
  const text = showValue(setting, value)
  if (field.kind !== 'switch') return <span className={css.value}>{text}</span>
  return <State tone={value === true ? 'done' : 'plain'}>{text}</State>
}

function LastChange({ setting: { last_change: change } }: { readonly setting: Setting }) {
  if (!change) return <span className="soft fine">{switchWords.never}</span>
  return (
    <span className="soft fine">
      <Moment at={change.at} /> {change.is_by_itself ? switchWords.byItself : switchWords.by(change.by)}
      {change.reason !== null && !change.is_by_itself && <span className={css.reason}>{change.reason}</span>}
    </span>
  )
}

function Returning({ setting }: { readonly setting: Setting }) {
  const { returns } = setting
  if (!returns) return null
  return (
    <State tone={returns.refused_because === null ? 'wait' : 'fail'}>
      {showValue(setting, returns.to)} <Countdown to={returns.at} />
    </State>
  )
}

const columns: readonly Column<Setting>[] = [
  { title: switchWords.setting, isMain: true, show: ({ name }) => titleOfSetting(name) },
  { title: switchWords.help, show: ({ help }) => <span className="soft fine">{help}</span> },
  { title: fieldWords.value, show: (setting) => <Value setting={setting} /> },
  { title: switchWords.returns, show: (setting) => <Returning setting={setting} /> },
  { title: switchWords.lastChange, show: (setting) => <LastChange setting={setting} /> },
]

/** The panel shows the help, so the list beside it leaves it out. */
const fewColumns = columns.filter(({ title }) => title !== switchWords.help)

const choices = [
  { value: '', label: switchWords.all },
  { value: 'changed', label: switchWords.changed },
  { value: 'returning', label: switchWords.returning },
]

function fits(setting: Setting, text: string, show: string): boolean {
  if (show === 'changed' && setting.is_default) return false
  if (show === 'returning' && !setting.returns) return false
  const words = foldLetters(`${titleOfSetting(setting.name)} ${setting.name} ${setting.help}`)
  return foldLetters(text)
    .split(/\s+/)
    .every((word) => words.includes(word))
}

function Groups({
  groups,
  selected,
  onSelect,
}: {
  readonly groups: readonly Group[]
  readonly selected: string | undefined
  readonly onSelect: (setting: Setting) => void
}) {
  return groups.map(({ title, settings }) => (
    <Section key={title} title={title}>
      <div className={css.group}>
        <TableOrCards
          label={title}
          columns={selected === undefined ? columns : fewColumns}
          rows={settings}
          keyOf={({ name }) => name}
          onSelect={onSelect}
          selectedKey={selected}
        />
      </div>
    </Section>
  ))
}

/** Every setting on one page: its value, who changed it, and when it changes back by itself. */
export default function SwitchesScreen() {
  const { filters, setFilters } = useFilters(['text', 'show', 'setting'])
  const { text = '', show = '', setting: selected } = filters
  const mayErase = useMay('manage_personal_data')
  const select = useCallback(({ name }: Setting) => setFilters({ setting: name }), [setFilters])
  const settings = useRead('switches', '/desk/api/settings')
  const all = settings.data?.groups.flatMap((group) => group.settings)
  const chosen = all?.find(({ name }) => name === selected)
  return (
    <Page title={frameWords.switches} isWide end={mayErase && <Link href="/personal-data">{personalWords.title}</Link>}>
      <ListWithPanel
        label={switchWords.panel}
        panel={chosen && <SettingPanel key={chosen.name} setting={chosen} />}
        onClose={() => setFilters({ setting: '' })}
      >
        <div className={css.filters}>
          <TextInput label={switchWords.find} type="search" {...bindText(text, (value) => setFilters({ text: value }))} />
          <NativeSelect label={fieldWords.show} data={choices} {...bindText(show, (value) => setFilters({ show: value }))} />
        </div>
        <QueryAnswer query={settings} lines={8}>
          {({ groups }) => {
            const fitting = groups
              .map((group) => ({ ...group, settings: group.settings.filter((each) => fits(each, text, show)) }))
              .filter((group) => group.settings.length > 0)
            if (fitting.length > 0) return <Groups groups={fitting} selected={selected} onSelect={select} />
            return <Empty title={show === 'returning' ? switchWords.noReturns : switchWords.none}>{switchWords.noneHelp}</Empty>
          }}
        </QueryAnswer>
        {text === '' && show === '' && <CommissionTerms />}
      </ListWithPanel>
    </Page>
  )
}
