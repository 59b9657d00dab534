import { post } from '../../both/api/call-api.ts'
import { ActNow } from '../../both/form/act-now.tsx'
import { State } from '../../both/list/state.tsx'
import { settingsWords } from '../words/suppliers.ts'
import type { DeskSupplier } from './ask-suppliers.ts'
import css from './suppliers.module.css'

const tones = { good: 'done', refused: 'fail', silent: 'fail' } as const

/** Calls the supplier without buying anything, and shows its answer and its speed. No test call exists for an SMS supplier. */
export function TestCall({ supplier: { supplier, role } }: { readonly supplier: DeskSupplier }) {
  return (
    <>
      <h2 className={css.partTitle}>{settingsWords.test}</h2>
      <p className="soft fine">{role === 'sms' ? settingsWords.testNone : settingsWords.testHelp}</p>
      {role !== 'sms' && (
        <ActNow
          label={settingsWords.test}
          size="compact-sm"
          mt={8}
          run={() => post('/desk/api/suppliers/{supplier}/test', { supplier })}
          topics={['suppliers']}
          done={({ result, milliseconds, said }) => (
            <div className={css.answer}>
              <State tone={tones[result]}>{settingsWords[result]}</State> · {settingsWords.took(milliseconds)}
              <p>{said}</p>
            </div>
          )}
        />
      )}
    </>
  )
}
