import { post, type Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { CopyText } from '../../both/copy-text.tsx'
import { ActNow } from '../../both/form/act-now.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { State, StateOf, type Tone } from '../../both/list/state.tsx'
import { exactMoment } from '../../both/moments/format-moment.ts'
import { logWords as words } from '../words/log.ts'
import css from './log.module.css'

type Chain = Schema<'ChainHeads'>['chains'][number]
type Check = Schema<'ChainCheck'>

const checkedMilliseconds = 7 * 86_400_000

function stateOf({ broken, is_behind: isBehind }: Chain): { tone: Tone; word: string } {
  if (broken !== null) return { tone: 'fail', word: words.broken }
  return isBehind ? { tone: 'wait', word: words.isBehind } : { tone: 'done', word: words.asSealed }
}

function ChainRow({ chain }: { readonly chain: Chain }) {
  const { tone, word } = stateOf(chain)
  const names: Readonly<Record<string, string>> = words.chains
  return (
    <Row
      title={names[chain.chain] ?? chain.chain}
      detail={
        <>
          <span>{chain.head === null ? words.nothingSealed : `${words.sealedUpTo} ${exactMoment(chain.sealed_through)}`}</span>
          {chain.broken !== null && <span className={css.broken}>{chain.broken}</span>}
          {chain.head !== null && <code className={css.head}>{chain.head}</code>}
        </>
      }
      end={
        <span className={css.end}>
          <State tone={tone}>{word}</State>
          {chain.head !== null && <CopyText text={chain.head} label={words.copyHead} />}
        </span>
      }
    />
  )
}

function wordsOf({ outcome, lines, blocks, is_whole: isWhole, finding }: Check): string {
  if (outcome === 'altered') return words.checkedAltered(finding ?? '')
  if (outcome === 'nothing_sealed') return words.checkedNone
  return isWhole ? words.checked(lines, blocks) : `${words.checked(lines, blocks)} ${words.checkedPart}`
}

/** One line for all chains: the worst state among them, and up to when the operator's log is sealed. */
function Summary({ chains }: { readonly chains: readonly Chain[] }) {
  const worst = chains.find(({ broken }) => broken !== null) ?? chains.find(({ is_behind: isBehind }) => isBehind) ?? chains[0]
  const log = chains.find(({ chain }) => chain === 'operator_log')
  if (!worst) return words.nothingSealed
  return (
    <>
      <StateOf {...stateOf(worst)} />
      <span className="soft fine">
        {log?.head ? `${words.sealedUpTo} ${exactMoment(log.sealed_through)}` : words.nothingSealed}
      </span>
    </>
  )
}

function CheckNow() {
  return (
    <ActNow
      label={words.check}
      mt={12}
      run={() => post('/desk/api/log/check', { from: new Date(Date.now() - checkedMilliseconds).toISOString() })}
      topics={[]}
      done={(check) => <State tone={check.outcome === 'altered' ? 'fail' : 'done'}>{wordsOf(check)}</State>}
    />
  )
}

/** Shows the worst state of all chains. Opened, it shows the newest block of each chain and a button for a check. */
export function ChainState() {
  const query = useRead('log', '/desk/api/log/chains')
  return (
    <QueryAnswer query={query} lines={1}>
      {({ chains }) => (
        <details className={css.chains}>
          <summary>
            <Summary chains={chains} />
          </summary>
          <p>{words.chainLead}</p>
          <Rows label={words.chain}>
            {chains.map((chain) => (
              <ChainRow key={chain.chain} chain={chain} />
            ))}
          </Rows>
          <CheckNow />
        </details>
      )}
    </QueryAnswer>
  )
}
