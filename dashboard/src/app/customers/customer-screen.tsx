import { Button } from '@mantine/core'
import { Link, useLocation, useParams, useSearch } from 'wouter'
import { post, put, remove } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { groupDigits, isPhone } from '../../both/phones.ts'
import { useMay, useMe } from '../me.ts'
import { saveFields } from '../use-saved-fields.ts'
import { customerWords } from '../words/customers.ts'
import { frameWords } from '../words/frame.ts'
import { CustomerForm } from './customer-form.tsx'
import css from './customers.module.css'

/** The numbers of a customer, each with a link to its orders and buttons to buy data or airtime. */
function Numbers({ numbers }: { readonly numbers: readonly string[] }) {
  const { person_id: personId } = useMe().person
  const [, navigate] = useLocation()
  const mayBuy = useMay('buy')
  const buy = (product: 'data' | 'airtime', number: string) => {
    saveFields(personId, `lines.${product}`, { text: number })
    navigate(product === 'data' ? '/buy' : `/buy/${product}`)
  }
  return (
    <Rows label={customerWords.numbers}>
      {numbers.map((number) => (
        <Row
          key={number}
          title={groupDigits(number)}
          detail={
            <Link href={`/orders?search=${encodeURIComponent(number)}`} className={css.name}>
              {customerWords.ordersOf}
            </Link>
          }
          end={
            mayBuy &&
            isPhone(number) && (
              <span className={css.buttons}>
                <Button variant="light" onClick={() => buy('data', number)}>
                  {customerWords.buyData}
                </Button>
                <Button variant="default" onClick={() => buy('airtime', number)}>
                  {customerWords.buyAirtime}
                </Button>
              </span>
            )
          }
        />
      ))}
    </Rows>
  )
}

function OneCustomer({ id }: { readonly id: string }) {
  const [, navigate] = useLocation()
  const mayWrite = useMay('buy')
  const customer = useRead('customer', '/app/api/customers/{customer_id}', { customer_id: id })
  return (
    <Page title={customer.data?.name ?? frameWords.customers} end={<Link href="/customers">{frameWords.customers}</Link>}>
      <QueryAnswer query={customer}>
        {(found) => (
          <>
            {found.numbers.length > 0 && <Numbers numbers={found.numbers} />}
            {mayWrite && (
              <Section title={fieldWords.change}>
                <Card>
                  <CustomerForm
                    // The last purchase is left out: it may change while somebody types, and the form would begin anew.
                    key={JSON.stringify([found.name, found.numbers, found.note, found.is_favourite])}
                    initial={found}
                    save={(note) => put('/app/api/customers/{customer_id}', { customer_id: id, ...note })}
                    onDone={() => navigate('/customers')}
                  />
                </Card>
                <Act
                  label={customerWords.remove}
                  question={customerWords.removeAsk}
                  no={fieldWords.keepIt}
                  button={{ variant: 'default', mt: 24 }}
                  run={async () => {
                    await remove('/app/api/customers/{customer_id}', { customer_id: id })
                    navigate('/customers')
                  }}
                  topics={['customers', 'profit']}
                >
                  {customerWords.removeWarning}
                </Act>
              </Section>
            )}
            {!mayWrite && found.note !== '' && <p>{found.note}</p>}
          </>
        )}
      </QueryAnswer>
    </Page>
  )
}

function NewCustomer() {
  const [, navigate] = useLocation()
  const number = new URLSearchParams(useSearch()).get('number') ?? ''
  return (
    <Page title={customerWords.new} end={<Link href="/customers">{frameWords.customers}</Link>}>
      <Card>
        <CustomerForm
          initial={{ name: '', numbers: number === '' ? [] : [number], note: '', is_favourite: false }}
          save={(note) => post('/app/api/customers', note)}
          onDone={() => navigate('/customers')}
        />
      </Card>
    </Page>
  )
}

/** One customer: buttons to buy for each number, and a form for the data. The id `new` opens an empty form. */
export default function CustomerScreen() {
  const { id } = useParams<{ id: string }>()
  return id === 'new' ? <NewCustomer /> : <OneCustomer key={id} id={id} />
}
