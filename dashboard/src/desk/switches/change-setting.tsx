import { useState } from 'react'
import { post } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { exactMoment } from '../../both/moments/format-moment.ts'
import { BeforeAfter } from '../frame/panel.tsx'
import { switchWords, titleOfSetting } from '../words/switches.ts'
import { type Draft, draftOf, valueOfDraft } from './drafts.ts'
import { returnFields, returnOf } from './return-time.tsx'
import { type Setting, showValue } from './show-value.ts'
import css from './switches.module.css'
import { ValueField } from './value-field.tsx'

export function sendChange(name: string, value: unknown, reason: string, returnsAt: string | undefined) {
  return post('/desk/api/settings/{name}', { name, value, reason, returns_at: returnsAt })
}

/** The typed value in words; undefined while the typed texts make no value. */
function showDraft(setting: Setting, draft: Draft): string | undefined {
  try {
    return showValue(setting, valueOfDraft(setting, draft))
  } catch {
    return undefined
  }
}

/** A button that asks for a setting's new value, for how long, and why. A switch gets the opposite of its present value. */
export function ChangeSetting({ setting }: { readonly setting: Setting }) {
  const { name, field, value, returns } = setting
  const isSwitch = field.kind === 'switch'
  const turned = value !== true
  const begin = () => (isSwitch ? turned : draftOf(field, value))
  const [draft, setDraft] = useState<Draft>(begin)
  const title = titleOfSetting(name)
  const shown = isSwitch ? turned : draft
  return (
    <Act
      label={isSwitch ? (turned ? fieldWords.switchOn : fieldWords.switchOff) : fieldWords.change}
      question={isSwitch ? switchWords.switchQuestion(title, turned) : switchWords.question(title)}
      reason="needed"
      topics={['switches', 'today', 'approvals']}
      isGrave={isSwitch && !turned}
      fields={returnFields}
      run={(reason, lasting) => sendChange(name, valueOfDraft(setting, shown), reason, returnOf(lasting))}
      onDone={() => setDraft(begin())}
      effect={(lasting) => {
        const returnsAt = returnOf(lasting)
        return (
          <>
            {returnsAt !== undefined && <p className="soft fine">{switchWords.untilMoment(exactMoment(returnsAt))}</p>}
            {returns && <p className={css.note}>{switchWords.cancelsReturn}</p>}
          </>
        )
      }}
    >
      {!isSwitch && <ValueField setting={setting} draft={draft} onChange={setDraft} />}
      <p>
        <BeforeAfter before={showValue(setting, value)} after={showDraft(setting, shown) ?? switchWords.notJson} />
      </p>
    </Act>
  )
}
