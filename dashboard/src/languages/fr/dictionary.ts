/**
 * The French of the app. It is a draft: nobody whose first language is French has read it yet. People are addressed with "vous".
 *
 * The chosen word for each term. Change it here and in all files of this folder:
 *
 * | English | French |
 * |---|---|
 * | airtime | crédit d’appel |
 * | bundle | forfait |
 * | data | data |
 * | voucher | bon |
 * | results checker | carte de résultats |
 * | bill | facture |
 * | top-up | recharge |
 * | wallet | portefeuille |
 * | balance | solde |
 * | commission | commission |
 * | order | commande |
 * | delivered, pending, failed, refunded | livré, en cours, échoué, remboursé |
 * | operator | opérateur |
 * | reseller | revendeur |
 * | customer | client |
 * | network | réseau |
 * | number | numéro |
 * | receipt | reçu |
 * | statement | relevé |
 * | key | clé |
 * | second factor | deuxième facteur |
 * | back-up code | code de secours |
 * | sender ID | nom d’expéditeur |
 * | campaign | campagne |
 * | notice | avis |
 * | session | session |
 */
export * from './account.ts'
export * from './buy.ts'
export * from './developer.ts'
export * from './fields.ts'
export * from './frame.ts'
export * from './money.ts'
export * from './selling.ts'
export * from './shared.ts'
export * from './sign-in.ts'
export * from './sms.ts'
