import { Button } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Link, useParams } from 'wouter'
import { fieldWords } from '../../both/field-words.ts'
import { Page } from '../../both/layout/page.tsx'
import { QueryAnswer, Waiting } from '../../both/layout/query-states.tsx'
import { roleWords } from '../../both/role-words.ts'
import { accountWords as words } from '../words/accounts.ts'
import { AccountActs } from './account-acts.tsx'
import { type Account, useAccount } from './account-calls.ts'
import { AccountFacts, AccountFigures, AccountState } from './account-facts.tsx'
import css from './accounts.module.css'
import { KeySection } from './key-section.tsx'

/** Loaded later, because they stand below the figures and their code is large. */
const WalletSection = lazy(() => import('./wallet-section.tsx'))
const PeopleSection = lazy(() => import('./people-section.tsx'))
const EntrySection = lazy(() => import('./entry-section.tsx'))

function Whole({ account }: { readonly account: Account }) {
  return (
    <>
      <div className={css.head}>
        <span className="soft fine">
          {account.email} · {roleWords(account)}
        </span>
        <AccountState status={account.status} />
      </div>
      <AccountActs account={account} />
      <AccountFigures account={account} />
      <Suspense fallback={<Waiting />}>
        <WalletSection account={account} />
      </Suspense>
      <div className={css.columns}>
        <Suspense fallback={<Waiting />}>
          <PeopleSection account={account} />
        </Suspense>
        <div>
          <KeySection account={account} />
          <div className={css.apart}>
            <AccountFacts account={account} />
          </div>
        </div>
      </div>
      <Suspense fallback={<Waiting />}>
        <EntrySection account={account} />
      </Suspense>
    </>
  )
}

export default function AccountScreen() {
  const { account } = useParams<{ account: string }>()
  const query = useAccount(account)
  return (
    <Page
      title={query.data?.name ?? fieldWords.accounts}
      isWide
      end={
        <Button component={Link} href={`/accounts/${account}`} variant="subtle">
          {words.back}
        </Button>
      }
    >
      <QueryAnswer query={query}>{(found) => <Whole key={found.account_id} account={found} />}</QueryAnswer>
    </Page>
  )
}
