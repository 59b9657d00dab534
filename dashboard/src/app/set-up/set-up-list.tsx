import { Button } from '@mantine/core'
import { post, type Schema } from '../../both/api/call-api.ts'
import { useAct } from '../../both/api/use-read.ts'
import { Section } from '../../both/layout/page.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { StateOf, type Tone } from '../../both/list/state.tsx'
import { setUpWords } from '../words/set-up.ts'

type SetUp = Schema<'SetUp'>
type Step = SetUp['steps'][number]

/** The end of a step's row: it is next, the operator must act first, or it comes later. */
function endOf(step: Step, isNext: boolean): { readonly tone: Tone; readonly word: string } {
  if (!isNext) return { tone: 'plain', word: setUpWords.later }
  return { tone: 'wait', word: step.who === 'operator' ? setUpWords.waits : setUpWords.next }
}

/** The steps from the sign-up to the first order, on Home until they are done or hidden. */
export function SetUpList({ setUp }: { readonly setUp: SetUp }) {
  const hiding = useAct(() => post('/app/api/set-up/dismissal'), ['home'])
  const { steps } = setUp
  const open = steps.filter((step) => !step.is_done)
  if (setUp.is_dismissed || open.length === 0) return null
  return (
    <Section title={setUpWords.title} end={<small>{setUpWords.progress(steps.length - open.length, steps.length)}</small>}>
      <Rows label={setUpWords.title}>
        {open.map((step) => {
          const { title, detail, href } = setUpWords.steps[step.step]
          const who = step.who === 'operator' ? setUpWords.operator : setUpWords.you
          return (
            <Row
              key={step.step}
              title={title}
              detail={`${who}: ${detail}`}
              end={<StateOf {...endOf(step, step === open[0])} />}
              href={href}
            />
          )
        })}
      </Rows>
      <Button variant="subtle" px={0} mt={8} loading={hiding.isPending} onClick={() => hiding.mutate()}>
        {setUpWords.dismiss}
      </Button>
    </Section>
  )
}
