import { Button } from '@mantine/core'
import { Link, useParams } from 'wouter'
import { Page } from '../../both/layout/page.tsx'
import { Asked } from '../../both/layout/wait.tsx'
import { roleWords } from '../../both/role-words.ts'
import { accountWords as words } from '../words/accounts.ts'
import { AccountActs } from './account-acts.tsx'
import { type Account, useAccount } from './account-calls.ts'
import { AccountFacts, AccountFigures, AccountState } from './account-facts.tsx'
import css from './accounts.module.css'
import { CreditSection } from './credit-section.tsx'
import { EntrySection } from './entry-section.tsx'
import { KeySection } from './key-section.tsx'
import { PeopleSection } from './people-section.tsx'

function Whole({ account }: { readonly account: Account }) {
  return (
    <>
      <div className={css.head}>
        <span className={css.soft}>
          {account.email} · {roleWords(account)}
        </span>
        <AccountState status={account.status} />
      </div>
      <AccountActs account={account} />
      <AccountFigures account={account} />
      <CreditSection account={account} />
      <div className={css.columns}>
        <PeopleSection account={account} />
        <div>
          <KeySection account={account} />
          <div className={css.apart}>
            <AccountFacts account={account} />
          </div>
        </div>
      </div>
      <EntrySection account={account} />
    </>
  )
}

/** One account with its wallets, people and keys. */
export default function AccountScreen() {
  const { account } = useParams<{ account: string }>()
  const query = useAccount(account)
  return (
    <Page
      title={query.data?.name ?? words.title}
      isWide
      end={
        <Button component={Link} href={`/accounts/${account}`} variant="subtle">
          {words.back}
        </Button>
      }
    >
      <Asked query={query}>{(found) => <Whole account={found} />}</Asked>
    </Page>
  )
}
