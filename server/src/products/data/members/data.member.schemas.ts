import Type from 'typebox'
import { CheckedLines, lineFields, linesMax } from '../../../orders/checking/check-lines.ts'
import { ShownPrice } from '../../../orders/shown-price.ts'
import { OneOf } from '../../../platform/http/schemas.ts'
import { bulkOrdersMax, DataPurchaseBody, dataNetworks, Package } from '../data.schemas.ts'

export const DataShop = Type.Object(
  {
    is_on: Type.Boolean({ description: 'False while the operator has switched the sale of bundles off.' }),
    balance: Type.Number({ description: 'The wallet now, in GHS.' }),
    networks: Type.Array(OneOf(dataNetworks), { description: 'In the order in which they are shown.' }),
    prefixes: Type.Array(
      Type.Object(
        {
          prefix: Type.String({ description: 'The first 3 digits of numbers.', examples: ['024'] }),
          networks: Type.Array(OneOf(dataNetworks)),
        },
        { title: 'ShopPrefix' },
      ),
      { description: 'The networks that numbers are on, while they were not moved to another one.' },
    ),
    packages: Type.Array(Package, { description: 'What can be bought now, at the prices of the account.' }),
  },
  { title: 'DataShop' },
)

export const DataPurchaseByPerson = Type.Object(
  {
    orders: Type.Array(Type.Object({ ...DataPurchaseBody.properties, price: ShownPrice }), {
      minItems: 1,
      maxItems: bulkOrdersMax,
    }),
  },
  { title: 'DataPurchaseByPerson' },
)

export const DataLinesBody = Type.Object(
  {
    lines: Type.Array(
      Type.Object({
        ...lineFields,
        network: Type.Optional(
          OneOf(dataNetworks, { description: 'Left out: the network that the number is on; of those of AT, AT-iShare.' }),
        ),
        volume_gb: Type.Number({ exclusiveMinimum: 0, examples: [1] }),
      }),
      { minItems: 1, maxItems: linesMax },
    ),
  },
  { title: 'DataLinesBody' },
)

export const CheckedDataLines = CheckedLines(dataNetworks, 'CheckedDataLines')
