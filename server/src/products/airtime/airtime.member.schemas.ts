import Type from 'typebox'
import { CheckedLines, lineFields, linesMax } from '../../orders/checking/check-lines.ts'
import { GhsAmount, Nullable, OneOf } from '../../platform/http/schemas.ts'
import { AirtimePurchase, AirtimePurchaseBody, airtimeNetworks } from './airtime.schemas.ts'

export const AirtimeShop = Type.Object(
  {
    is_on: Type.Boolean({ description: 'False while the operator has switched the sale of airtime off.' }),
    balance: Type.Number({ description: 'The wallet now, in GHS.' }),
    networks: Type.Array(
      Type.Object(
        {
          network: OneOf(airtimeNetworks),
          is_available: Type.Boolean({ description: 'False while no supplier has a route for it.' }),
          min_amount: Type.Number({ description: 'The least amount of one purchase, in GHS.' }),
          max_amount: Type.Number({ description: 'The most amount of one purchase, in GHS.' }),
        },
        { title: 'AirtimeShopNetwork' },
      ),
    ),
  },
  { title: 'AirtimeShop' },
)

export const AirtimeLinesBody = Type.Object(
  {
    lines: Type.Array(
      Type.Object({
        ...lineFields,
        network: Type.Optional(OneOf(airtimeNetworks, { description: 'Left out: the network that the number is on.' })),
        amount: GhsAmount({ examples: [5] }),
      }),
      { minItems: 1, maxItems: linesMax },
    ),
  },
  { title: 'AirtimeLinesBody' },
)

export const CheckedAirtimeLines = CheckedLines(airtimeNetworks, 'CheckedAirtimeLines')

export const AirtimeLinesPurchaseBody = Type.Object(
  { orders: Type.Array(AirtimePurchaseBody, { minItems: 1, maxItems: linesMax }) },
  { title: 'AirtimeLinesPurchaseBody' },
)

export const AirtimeLinesPurchase = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          reference: Type.String(),
          order: Type.Union([AirtimePurchase, Type.Null()], { description: 'Null: nothing was placed, or nobody knows.' }),
          refusal: Type.Union([
            Type.Object(
              {
                code: Type.Integer({ description: 'The status that the API answers.' }),
                reason: Type.String({ description: 'As `X-Error-Reason` names it.' }),
                message: Type.String(),
              },
              { title: 'AirtimeLineRefusal' },
            ),
            Type.Null(),
          ]),
        },
        { title: 'AirtimeLineResult' },
      ),
      { description: 'In the order in which they were given. Each line stands for itself.' },
    ),
    new_balance: Nullable(Type.Number({ description: 'The wallet after this call, in GHS; null when nothing was placed.' })),
  },
  { title: 'AirtimeLinesPurchase' },
)
