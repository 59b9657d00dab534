import { Button } from '@mantine/core'
import { post } from '../../both/api/call-api.ts'
import { useAct } from '../../both/api/use-read.ts'
import { Failure } from '../../both/layout/wait.tsx'
import { State } from '../../both/list/state.tsx'
import look from '../frame/look.module.css'
import { settingsWords } from '../words/suppliers.ts'
import type { DeskSupplier } from './ask-suppliers.ts'
import css from './suppliers.module.css'

const tones = { good: 'done', refused: 'fail', silent: 'fail' } as const

/** Calls the supplier without buying anything, and shows its answer and its speed. */
export function TestCall({ supplier: { supplier, role } }: { readonly supplier: DeskSupplier }) {
  const testing = useAct(() => post('/desk/api/suppliers/{supplier}/test', { supplier }), ['suppliers'])
  const { data } = testing
  return (
    <>
      <div className={css.partHead}>
        <h2>{settingsWords.test}</h2>
        {role !== 'sms' && (
          <Button size="compact-sm" variant="light" loading={testing.isPending} onClick={() => testing.mutate()}>
            {settingsWords.test}
          </Button>
        )}
      </div>
      <p className={look.soft}>{role === 'sms' ? settingsWords.testNone : settingsWords.testHelp}</p>
      <div role="status">
        {data && (
          <div className={css.answer}>
            <State tone={tones[data.result]}>{settingsWords[data.result]}</State> · {settingsWords.took(data.milliseconds)}
            <p>{data.said}</p>
          </div>
        )}
      </div>
      {testing.isError && <Failure error={testing.error} />}
    </>
  )
}
